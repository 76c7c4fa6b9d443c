/*
 * SEQPACKET (rule 17), one direction: one packet for each receive, straight into its memory, no hidden buffer and no
 * phases. Each receive is advertised; the sender waits where it has no ADVERT. A packet is one transfer, of one write or
 * of two. CANCEL and FIN are those of the stream. Steps, landing of writes and mutations: see stream.pml.
 */
#ifndef PACKETS
#define PACKETS 3
#endif
/* Bytes of a packet and of a receive, at most. */
#ifndef LONGEST
#define LONGEST 2
#endif
#ifndef R
#define R 2
#endif
#ifndef CANCELS
#define CANCELS 2
#endif
#ifndef CAPACITY
#define CAPACITY 3
#endif

#define MEMORIES (R + 2)
#define QUEUE (R + TRUSTING)

mtype:message = { ADVERT, PACKET, WRITE, CANCEL, CANCELLED, FIN };

mtype:weak = {
  none, rest_to_next, cut_not_told, longer_than_receive, two_in_one, to_any_receive, cancelled_not_awaited,
  packet_before_cancelled, cancelled_before_completion, id_reused, unknown_not_answered
};
#ifndef MUTANT
#define MUTANT none
#endif
#define WEAK(name) (name == MUTANT)

hidden byte in_order;     /* every packet arrives exactly once, in order, none after the FIN */
hidden byte held;         /* a write lands only in memory that the program has lent and not got back */
hidden byte live;         /* a packet arrives only for the ADVERT of the first receive */
hidden byte bounded;      /* a receive holds one packet: its first bytes, as many as fit, and knows whether it was cut */
hidden byte valid;        /* no correct end finds the other at fault */
hidden byte complete;     /* when nothing more happens, everything was sent, received and given back */
#define CHECK(property, condition) assert((condition) || property)
#ifndef TRUSTING
#define TRUSTING 0
#endif
#define VALID(condition) assert(TRUSTING || (condition) || valid)

typedef Receive {
  byte id;
  byte want;
  byte memory;    /* ghost */
  byte cancel;    /* 0; 1: asked for; 2: CANCEL sent */
};

typedef Advert {
  byte id;
  byte want;
  byte memory;    /* ghost */
};

/* kind, id, bytes written, length of the packet as it is told; ghosts: its length, its number, the memory */
chan toReceiver = [CAPACITY] of { mtype:message, byte, byte, byte, byte, byte, byte };
chan toSender = [CAPACITY] of { mtype:message, byte, byte, byte };

hidden byte id, n, told, whole, number, memory, i, k;

#define BIT(id) (1 << (id))
#define FITTING(size, want) ((size) < (want) -> (size) : (want))

inline giveBack(index) {
  k = index;
  do
  :: k + 1 < pending ->
    r[k].id = r[k + 1].id; r[k].want = r[k + 1].want; r[k].memory = r[k + 1].memory; r[k].cancel = r[k + 1].cancel;
    k++
  :: else -> break
  od;
  r[k].id = 0; r[k].want = 0; r[k].memory = 0; r[k].cancel = 0;
  pending--
}

inline landed() {
  i = 0;
  do
  :: i < pending && r[i].memory != memory -> i++
  :: else -> break
  od;
  CHECK(held, i < pending)
}

inline dropAdvert(index) {
  k = index;
  do
  :: k + 1 < queued -> q[k].id = q[k + 1].id; q[k].want = q[k + 1].want; q[k].memory = q[k + 1].memory; k++
  :: else -> break
  od;
  q[k].id = 0; q[k].want = 0; q[k].memory = 0;
  queued--
}

#define MAY_POST (len(toReceiver) < CAPACITY)
#define FIRST (WEAK(to_any_receive) -> queued - 1 : 0)
#define MAY_TRANSFER (MAY_POST && (due == 0 || WEAK(packet_before_cancelled)) && packet < PACKETS && queued > 0)

/* The packet, or what is left of it by a mutation, to the ADVERT. */
inline transfer(size) {
  i = FIRST;
  whole = size;
  n = (WEAK(longer_than_receive) -> whole : FITTING(whole, q[i].want));
  toReceiver!PACKET(q[i].id, n, (WEAK(cut_not_told) -> n : whole), whole, packet, q[i].memory);
  rest = (WEAK(rest_to_next) -> whole - n : 0);
  packet = packet + (rest == 0);
  if
  :: WEAK(two_in_one) && q[i].want > n -> q[i].want = q[i].want - n
  :: else -> dropAdvert(i)
  fi
}

active proctype Sender() {
  byte packet;     /* how many have been sent */
  byte rest;
  byte started;    /* a packet of two bytes has been begun by a plain write */
  Advert q[QUEUE];
  byte queued;
  byte due;
  bool finSent;

end:
  do
  :: d_step { toSender?ADVERT(id, n, memory) ->
      VALID(queued < R);
      if
      :: queued < QUEUE -> q[queued].id = id; q[queued].want = n; q[queued].memory = memory; queued++
      :: else
      fi }

  /* ---- 5, 17: A packet, of any length. */
  :: d_step { started == 0 && MAY_TRANSFER && rest == 0 -> transfer(1) }
  :: d_step { started == 0 && MAY_TRANSFER && rest == 0 -> transfer(LONGEST) }
  :: d_step { started == 0 && MAY_TRANSFER && rest > 0 -> n = rest; transfer(n) }
  :: d_step { started == 0 && MAY_TRANSFER && rest == 0 ->
      toReceiver!WRITE(0, 1, 0, 0, 0, q[0].memory); started = 1 }
  :: d_step { started == 1 && MAY_POST -> started = 0; transfer(LONGEST) }

  /* ---- 11 CANCEL */
  :: d_step { toSender?CANCEL(id, _, _) ->
      i = 0;
      do
      :: i < queued && q[i].id != id -> i++
      :: else -> break
      od;
      if
      :: WEAK(unknown_not_answered) && i == queued -> skip
      :: else ->
        due = due | BIT(id);
        if
        :: i < queued && !(i == 0 && started == 1) -> dropAdvert(i)
        :: else
        fi
      fi }
  :: d_step { due != 0 && MAY_POST && (started == 0 || WEAK(cancelled_before_completion)) ->
      i = 1;
      do
      :: !(due & BIT(i)) -> i++
      :: else -> break
      od;
      due = due & ~BIT(i);
      toReceiver!CANCELLED(i, 0, 0, 0, 0, 0) }

  /* ---- 12 FIN */
  :: d_step { packet == PACKETS && started == 0 && due == 0 && !finSent && MAY_POST ->
      finSent = true; toReceiver!FIN(0, 0, 0, 0, packet, 0) }
  :: timeout ->
    CHECK(complete, finSent && due == 0);
    goto rested
  od;
rested:
end_rested:
  false
}

inline postReceive(bytes) {
  i = 0;
  do
  :: i < pending && r[i].memory == nextMemory -> nextMemory = (nextMemory + 1) % MEMORIES; i = 0
  :: i < pending && r[i].memory != nextMemory -> i++
  :: else -> break
  od;
  r[pending].want = bytes;
  r[pending].memory = nextMemory;
  pending++;
  nextMemory = (nextMemory + 1) % MEMORIES
}

inline cancelReceive(index) {
  if
  :: r[index].id == 0 -> giveBack(index)
  :: else -> r[index].cancel = 1
  fi
}

#define MAY_ADVERTISE(index) (index < pending && r[index].id == 0 && !finSeen && \
  (index == 0 || r[(index + R - 1) % R].id != 0) && len(toSender) < CAPACITY)

inline advertise(index) {
  id = 1;
  do
  :: BIT(id) & (unanswered & (WEAK(id_reused) -> 0 : 255)) -> id++
  :: else ->
    i = 0;
    do
    :: i < pending && r[i].id != id -> i++
    :: else -> break
    od;
    if
    :: i < pending -> id++
    :: else -> break
    fi
  od;
  r[index].id = id;
  toSender!ADVERT(id, r[index].want, r[index].memory)
}

active proctype Receiver() {
  Receive r[R];
  byte pending;
  byte nextMemory;
  byte received;
  byte unanswered;
  byte cancels;
  bool finSeen;
  bool ended;

  do
  :: cancels < CANCELS -> cancels++
  :: break
  od;

end:
  do
  :: d_step { !ended && pending < R -> postReceive(1) }
  :: d_step { !ended && pending < R -> postReceive(LONGEST) }
  :: d_step { cancels > 0 && pending > 0 && r[0].cancel == 0 -> cancels--; cancelReceive(0) }
#if R > 1
  :: d_step { cancels > 0 && pending > 1 && r[1].cancel == 0 -> cancels--; cancelReceive(1) }
#endif
  :: d_step { MAY_ADVERTISE(0) -> advertise(0) }
#if R > 1
  :: d_step { MAY_ADVERTISE(1) -> advertise(1) }
#endif
#if R > 2
  :: d_step { MAY_ADVERTISE(2) -> advertise(2) }
#endif

  /* ---- 7, 17 A packet arrives. */
  :: d_step { toReceiver?WRITE(_, _, _, _, _, memory) -> landed() }
  :: d_step { toReceiver?PACKET(id, n, told, whole, number, memory) ->
      landed();
      CHECK(live, r[0].id == id);
      CHECK(held, n <= r[0].want);
      CHECK(in_order, number == received && !finSeen);
      CHECK(bounded, n == FITTING(whole, r[0].want) && told == whole);
      received++;
      giveBack(0) }

  /* ---- 11 CANCEL */
  :: d_step { pending > 0 && (r[0].cancel == 1 || (R > 1 && r[1 % R].cancel == 1)) && len(toSender) < CAPACITY ->
      i = (r[0].cancel == 1 -> 0 : 1);
      r[i].cancel = 2;
      unanswered = unanswered | BIT(r[i].id);
      toSender!CANCEL(r[i].id, 0, 0);
      if
      :: WEAK(cancelled_not_awaited) -> giveBack(i)
      :: else
      fi }
  :: d_step { toReceiver?CANCELLED(id, _, _, _, _, _) ->
      VALID(unanswered & BIT(id));
      unanswered = unanswered & ~BIT(id);
      i = 0;
      do
      :: i < pending && !(r[i].id == id && r[i].cancel == 2) -> i++
      :: else -> break
      od;
      if
      :: i < pending -> giveBack(i)
      :: else
      fi }

  /* ---- 12 FIN */
  :: d_step { toReceiver?FIN(_, _, _, _, number, _) ->
      CHECK(in_order, number == received && !finSeen);
      finSeen = true }
  :: d_step { finSeen && pending > 0 ->
      do
      :: pending > 0 -> giveBack(pending - 1)
      :: else -> break
      od;
      ended = true }
  :: timeout ->
    CHECK(complete, ended && pending == 0 && unanswered == 0 && received == PACKETS);
    goto rested
  od;
rested:
end_rested:
  false
}
