/*
 * The EXS stream protocol, both ends, one connection. Rule numbers are those of docs/protocol.md.
 *
 * Each end is one process with one loop; each alternative of the loop is one rule and one indivisible step. The loop
 * has the choice whenever a rule leaves it: how much to send, directly or indirectly, when to cancel, when the program
 * reads. A channel is one direction of the queue pair: a FIFO of messages and of plain RDMA writes. A write lands when it
 * leaves the channel, which is the latest moment possible; memory is never held again after it was given back, so
 * a write that would land there earlier lands there in that moment too.
 *
 * Bytes are counted, not stored. Each message that moves some carries the position of the first as a ghost, and the
 * number of the memory it goes to as another: no end uses them but to check the properties.
 *
 * A configuration is a set of -D options; "configurations" lists those that are explored. Likewise -DMUTANT=NAME
 * weakens one rule: WEAK(NAME) is true in that run only; "mutations" lists what each must break.
 */

/* Bytes that end 0 and end 1 write; 0: no such direction. */
#ifndef L0
#define L0 3
#endif
#ifndef L1
#define L1 0
#endif
/* Bytes of a hidden buffer, those freed that are told in an ACK, most bytes of a transfer. */
#ifndef B
#define B 2
#endif
#ifndef THRESHOLD
#define THRESHOLD 1
#endif
#ifndef MOST
#define MOST 2
#endif
/* Receives that may be pending, bytes each wants, waitall: 0 none, 1 all, 2 any. */
#ifndef R
#define R 2
#endif
#ifndef WANT
#define WANT 2
#endif
#ifndef WAITALL
#define WAITALL 2
#endif
/* Whether the peer can write to the program's memory: 0 always, 1 never, 2 here and there. */
#ifndef HEAP
#define HEAP 0
#endif
/* How often the reader cancels, and how often an end aborts, at most. */
#ifndef CANCELS
#define CANCELS 0
#endif
#ifndef ABORTS
#define ABORTS 0
#endif
/* Message credits and the number for which a CREDIT is sent; N = 0: none, a channel has room for CAPACITY messages. */
#ifndef N
#define N 0
#endif
#ifndef T
#define T 2
#endif
#ifndef CAPACITY
#define CAPACITY 2
#endif
/* 1: an end may close, may shut its reading half down, in any state. */
#ifndef CLOSE
#define CLOSE 0
#endif
#ifndef SHUT
#define SHUT 0
#endif
/* 1: a direct transfer may be two writes; bytes may be placed by plain writes and announced later. */
#ifndef SPLIT
#define SPLIT 0
#endif
#ifndef PLACE
#define PLACE 0
#endif
/* How often the hidden buffer is exchanged for one of B2 bytes. */
#ifndef SWAPS
#define SWAPS 0
#endif
#ifndef B2
#define B2 3
#endif
/* 1: an ADVERT that was good when it came is tested again when the writer gets to it, and only then counts. */
#ifndef LAZY
#define LAZY 0
#endif
/* 1: an ADVERT may ask for less than the receive wants. */
#ifndef PART
#define PART 0
#endif
/*
 * 1: memory of a receive whose CANCEL takes too long may be detached, and with it that of all behind it that are advertised;
 * these wait behind the places. For R up to 2.
 */
#ifndef DETACH
#define DETACH 0
#endif
/* 1: memory is advertised through windows, which the receiver closes without the peer's help. */
#ifndef WINDOWS
#define WINDOWS 0
#endif
/* Positions and phases wrap at these powers of two; counting starts just before, if WRAP is 1. */
#ifndef POSITIONS
#define POSITIONS 64
#endif
#ifndef PHASES
#define PHASES 64
#endif
#ifndef WRAP
#define WRAP 0
#endif
/* 1: a sender goes indirect only where it has no ADVERT. */
#ifndef PREFER_DIRECT
#define PREFER_DIRECT 0
#endif

/* Memory numbers: more than receives can be pending. Room in a channel beyond messages: plain writes, and a RST. */
#define PLACES (DETACH * (R - 1))
#define RECEIVES (R + PLACES)
#define MEMORIES (RECEIVES + 2)
#define NOWHERE 255 /* Memory of the program no more. */
#define QUEUE (R + TRUSTING)
#define WRITES (2 * (SPLIT + PLACE))
#if N > 0
#define MESSAGES N
#else
#define MESSAGES CAPACITY
#endif

mtype:message = {
  ADVERT, DIRECT, INDIRECT, PLACED, ACK, CANCEL, CANCELLED, FIN, FIN_ACK, NEWBUF, SWITCHED, CREDIT, /* messages */
  WRITE, FILL, /* plain writes: into advertised memory, into the hidden buffer */
  RST /* the disconnect */
};

/* What is checked. Always false: the name stands in the assertion, and so in the verifier's report. */
hidden byte in_order;     /* every byte arrives exactly once, in order, none after the FIN */
hidden byte held;         /* a write lands only in memory that the program has lent and not got back */
hidden byte live;         /* a direct transfer arrives only for the live ADVERT of the first receive, nothing hidden */
hidden byte room;         /* the hidden buffer is never over-full */
hidden byte region;       /* a write lands in the region that is current, and which is not released */
hidden byte valid;        /* no correct end finds the other at fault (rule 16) */
hidden byte posted;       /* no message arrives without a posted receive (rule 15) */
hidden byte quiet;        /* an end that has sent RST posts nothing after it */
hidden byte complete;     /* when nothing more happens, everything was sent, read and given back */

#define CHECK(property, condition) assert((condition) || property)

/* Rule 16. 1: the ends do not look, so that a mutation shows what comes of it. */
#ifndef TRUSTING
#define TRUSTING 0
#endif
#define VALID(condition) assert(TRUSTING || (condition) || valid)

mtype:weak = {
  none,
  /*  1 */ phase_steps_back, bytes_to_any_advert, more_room_than_there_is,
  /*  2 */ hidden_not_empty, expected_position, odd_advert, advert_past_unadvertised, advert_behind_part,
  /*  3 */ id_reused,
  /*  4 */ no_position_test, no_phase_test, no_second_test,
  /*  5 */ longer_than_advert, advert_used_again, two_completions,
  /*  6 */ queue_kept, phase_not_raised, no_room_needed,
  /*  7 */ partial_completes,
  /*  8 */ dead_adverts_live,
  /*  9 */ copied_out_of_turn, remainder_not_shortened,
  /* 10 */ late_ack, ack_repeated,
  /* 11 */ cancelled_not_awaited, partial_ends_cancelled, data_before_cancelled, cancelled_before_completion,
           unknown_not_answered, kept_after_cancel, cancelled_once_too_often,
  /* 12 */ fin_before_announcement, end_before_hidden, no_answer_after_fin, fin_acknowledged_early, data_after_fin,
  /* 13 */ no_fence, posts_after_rst, advert_behind_detached, detached_before_others,
           closed_window_entered, closed_window_passed_over, closed_before_arrival, closed_while_within,
  /* 14 */ released_early, ack_without_generation, old_region_written, switched_late, new_before_old, second_offer,
  /* 15 */ no_reserve, no_credit, credit_for_one, credit_for_all, credits_not_returned,
  /* 16 */ plain_comparison
};
#ifndef MUTANT
#define MUTANT none
#endif
#define WEAK(name) (name == MUTANT)

/* A direction of the queue pair: kind, id or generation, phase, position, bytes, waitall, memory, credits returned. */
chan wire[2] = [MESSAGES + WRITES + 1] of { mtype:message, byte, byte, byte, byte, bool, byte, byte };

#if WINDOWS
/* By end: ids of the ADVERTs whose windows it has closed, as bits; the id of the peer's ADVERT that it is writing for. */
byte closedWindows[2];
byte within[2];
#define IS_OPEN(an_id) (!(closedWindows[1 - me] & BIT(an_id)))
#define ENTER(an_id) within[me] = an_id
#else
#define IS_OPEN(an_id) true
#define ENTER(an_id) skip
#endif

#define POSITION(p) ((p) & (POSITIONS - 1))
#define PHASE(p) ((p) & (PHASES - 1))
#define DISTANCE(from, to) POSITION((to) - (from))
/* Serially; with plain comparison it goes wrong where the counter wraps. */
#define IS_AFTER(a, b) ((WEAK(plain_comparison) && a > b) || \
  (!WEAK(plain_comparison) && a != b && PHASE((a) - (b)) < PHASES / 2))
#define IS_ODD(phase) ((phase) & 1)
#define BIT(id) (1 << (id))

typedef Receive {
  byte id;        /* of its live ADVERT; 0: none */
  byte want;      /* bytes still wanted */
  byte window;    /* of those, bytes the live ADVERT still asks for */
  byte memory;    /* ghost */
  byte cancel;    /* 0; 1: asked for; 2: CANCEL sent */
  bool waitall;
  bool heap;      /* where no peer can write to: never advertised */
  bool detached;  /* the program has its memory back; others took its place under the ADVERT */
};

typedef Advert {
  byte id;
  byte phase;
  byte left;      /* its length − used */
  byte position;  /* if it has not been tested yet */
  byte memory;    /* ghost */
  bool waitall;
};

/* Scratch of one step, never carried from one to the next. */
hidden byte id, phase, position, n, memory, credits, i, k;
hidden byte waitall;
hidden mtype:message kind;

/* Rule 15: a message costs a credit and returns all that are owed. One credit is left for CREDIT. */
#if N > 0
#define MAY_SEND (WEAK(no_credit) || available >= (WEAK(no_reserve) -> 1 : 2))
#else
#define MAY_SEND (len(out) < CAPACITY)
#endif
#define MAY_WRITE (len(out) < MESSAGES + WRITES)

inline send(sort, an_id, a_phase, a_position, bytes, all, a_memory) {
#if N > 0
  CHECK(posted, len(out) < N + WRITES);
  available = available - (available > 0);
#endif
  out!sort(an_id, a_phase, a_position, bytes, all, a_memory, (WEAK(credits_not_returned) -> 0 : owed));
  owed = 0
}

/* A message was taken: its receive is posted again at once. */
inline taken() {
#if N > 0
  available = available + credits;
  owed++;
  VALID(available <= N && owed <= N)
#else
  skip
#endif
}

/* The receive at index goes back to the program with what it holds. */
inline giveBack(index) {
  k = index;
  do
  :: k + 1 < pending ->
    r[k].id = r[k + 1].id; r[k].want = r[k + 1].want; r[k].window = r[k + 1].window; r[k].memory = r[k + 1].memory;
    r[k].cancel = r[k + 1].cancel; r[k].waitall = r[k + 1].waitall; r[k].heap = r[k + 1].heap;
    r[k].detached = r[k + 1].detached;
    k++
  :: else -> break
  od;
  r[k].id = 0; r[k].want = 0; r[k].window = 0; r[k].memory = 0; r[k].cancel = 0; r[k].waitall = false; r[k].heap = false;
  r[k].detached = false;
  pending--
}

/* Every ADVERT is dead; receives that are being cancelled go back, the others stay. */
inline killAdverts() {
  i = 0;
  do
  :: i < pending && r[i].cancel > 0 -> giveBack(i)
  :: i < pending && r[i].cancel == 0 -> r[i].id = 0; r[i].window = 0; i++
  :: else -> break
  od
}

inline dropAdvert(index) {
  k = index;
  do
  :: k + 1 < queued ->
    q[k].id = q[k + 1].id; q[k].phase = q[k + 1].phase; q[k].left = q[k + 1].left;
    q[k].position = q[k + 1].position; q[k].memory = q[k + 1].memory; q[k].waitall = q[k + 1].waitall;
    k++
  :: else -> break
  od;
  q[k].id = 0; q[k].phase = 0; q[k].left = 0; q[k].position = 0; q[k].memory = 0; q[k].waitall = false;
  tested = tested - (index < tested);
  queued--
}

inline dropAllAdverts() {
  do
  :: queued > 0 -> dropAdvert(queued - 1)
  :: else -> break
  od
}

inline giveAllBack() {
  do
  :: pending > 0 -> giveBack(pending - 1)
  :: else -> break
  od
}

/* ---- The program -------------------------------------------------------------------------------------------- */

#define READS (!ended && !shut && !closed)

/* A memory that is not lent. */
inline lend(index) {
  k = 0;
  do
  :: k < pending && r[k].memory == nextMemory -> nextMemory = (nextMemory + 1) % MEMORIES; k = 0
  :: k < pending && r[k].memory != nextMemory -> k++
  :: else -> break
  od;
  r[index].memory = nextMemory;
  nextMemory = (nextMemory + 1) % MEMORIES
}

inline postReceive(all, on_heap) {
  lend(pending);
  r[pending].want = WANT;
  r[pending].waitall = all;
  r[pending].heap = on_heap;
  pending++
}

/* Rule 11: without a live ADVERT it returns at once. */
inline cancelReceive(index) {
  if
  :: r[index].id == 0 -> giveBack(index)
  :: else -> r[index].cancel = 1
  fi
}

inline cancelAll() {
  i = 0;
  do
  :: i < pending && r[i].id == 0 -> giveBack(i)
  :: i < pending && r[i].id != 0 -> r[i].cancel = (r[i].cancel == 0 -> 1 : r[i].cancel); i++
  :: else -> break
  od
}

/* ---- The receiving half ------------------------------------------------------------------------------------- */

#define NOTHING_HIDDEN (hiddenBytes + oldHidden + stash == 0)

/* Rule 2. The ADVERT leaves out the last `part` bytes; nothing behind a waitall receive that is so may be advertised. */
#define MAY_ADVERTISE(index, part) (MAY_SEND && index < pending && r[index].id == 0 && r[index].cancel == 0 && !finSeen && !r[index].heap \
  && r[index].want > part \
  && (NOTHING_HIDDEN || WEAK(hidden_not_empty)) \
  && (index == 0 || (r[BEFORE(index)].id != 0 || WEAK(advert_past_unadvertised)) \
    && (!r[BEFORE(index)].detached || WEAK(advert_behind_detached)) \
    && (!(r[BEFORE(index)].waitall && r[BEFORE(index)].window < r[BEFORE(index)].want) \
      || r[BEFORE(index)].memory == NOWHERE || WEAK(advert_behind_part))))
#define MAY_DETACH(index) (index < pending && r[index].cancel > 0 && r[index].id != 0 && !r[index].detached)
#define BEFORE(index) ((index + RECEIVES - 1) % RECEIVES)

inline advertise(index, part) {
  Pr = (IS_ODD(Pr) && !WEAK(odd_advert) -> PHASE(Pr + 1) : Pr);
  id = 1; /* Rule 3: the first id that is free; a real end counts on, which reuses them later. */
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
  position = received;
  if
  :: WEAK(expected_position) ->
    i = 0;
    do
    :: i < index -> position = POSITION(position + r[i].window); i++
    :: else -> break
    od
  :: else
  fi;
  r[index].id = id;
#if WINDOWS
  closedWindows[me] = closedWindows[me] & ~BIT(id);
#endif
  r[index].window = r[index].want - part;
  send(ADVERT, id, Pr, position, (WEAK(remainder_not_shortened) -> WANT : r[index].window), r[index].waitall,
    r[index].memory)
}

/*
 * Rule 13. What the peer writes to the detached place is read before what it writes behind it: so the receives behind that
 * are advertised leave a place each, too, and come behind all places, in other memory. The last one goes first.
 */
inline detach(index) {
  i = pending;
  do
  :: i > index ->
    i--;
    if
    :: r[i].id != 0 && !r[i].detached && (i == index || !WEAK(detached_before_others)) ->
      r[i].detached = true;
#if PLACES
      if
      :: r[i].cancel == 0 ->
        k = pending;
        do
        :: k > i + 1 && !r[k - 1].detached ->
          r[k].id = r[k - 1].id; r[k].want = r[k - 1].want; r[k].window = r[k - 1].window;
          r[k].memory = r[k - 1].memory; r[k].cancel = r[k - 1].cancel; r[k].waitall = r[k - 1].waitall;
          r[k].heap = r[k - 1].heap; r[k].detached = false;
          k--
        :: else -> break
        od;
        n = k;
        r[n].id = 0; r[n].want = r[i].want; r[n].window = 0; r[n].cancel = 0; r[n].waitall = r[i].waitall;
        r[n].heap = false; r[n].detached = false;
        r[n].memory = r[i].memory; /* Lent already, as what is behind it. */
        pending++;
        lend(n);
        r[i].cancel = 1
      :: else
      fi
#endif
    :: else
    fi
  :: else -> break
  od;
  i = 0
}

/* Rule 9: what is hidden goes to the first receive; oldest bytes first, which are those of a detached memory. */
#define AT_PLACE(index) (pending > index && r[(index) % RECEIVES].detached)
#define FIRST_RECEIVE (AT_PLACE(0) + (AT_PLACE(0) && AT_PLACE(1)))
#define TARGET (FIRST_RECEIVE + WEAK(copied_out_of_turn))

inline copy() {
  i = TARGET;
  CHECK(in_order, i == FIRST_RECEIVE);
  if
  :: stash > 0 -> n = (stash < r[i].want -> stash : r[i].want); stash = stash - n
  :: stash == 0 && oldHidden > 0 && !(WEAK(new_before_old) && hiddenBytes > 0) ->
    n = (oldHidden < r[i].want -> oldHidden : r[i].want);
    oldHidden = oldHidden - n;
    oldHeld = oldHidden > 0 /* Rule 14: SWITCHED has come, so it is released once it is empty. */
  :: else ->
    CHECK(in_order, oldHidden == 0);
    n = (hiddenBytes < r[i].want -> hiddenBytes : r[i].want);
    hiddenBytes = hiddenBytes - n;
    freed = freed + n
  fi;
  r[i].want = r[i].want - n;
  if
  :: !r[i].waitall || r[i].want == 0 -> giveBack(i)
  :: else
  fi
}

/* A write has landed in a program's memory. */
inline landed() {
  i = 0;
  do
  :: i < pending && r[i].memory != memory -> i++
  :: else -> break
  od;
  CHECK(held, i < pending)
}

/* Rule 8. */
inline arrived() {
  CHECK(region, id == generation);
  CHECK(in_order, position == received && !finSeen);
  CHECK(room, hiddenBytes + freed + n <= size);
  hiddenBytes = hiddenBytes + n;
  received = POSITION(received + n);
  unread = closed;
  if
  :: !IS_ODD(Pr) ->
    Pr = PHASE(Pr + 1);
    if
    :: !WEAK(dead_adverts_live) -> killAdverts()
    :: else
    fi
  :: else
  fi
}

/* ---- The sending half --------------------------------------------------------------------------------------- */

#define NO_CANCELLED_DUE (due == 0 || WEAK(data_before_cancelled))
#define FIRST (WEAK(bytes_to_any_advert) -> queued - 1 : 0)
#define LEFT(index) (q[index].left + (WEAK(longer_than_advert) -> 1 : 0))

/* Rule 5. */
#define MAY_GO_DIRECT(bytes) (MAY_SEND && NO_CANCELLED_DUE && started == 0 && !finSent \
  && unsent >= bytes && (queued > 0 && (!LAZY || tested > 0)) && LEFT(FIRST) >= bytes \
  && (IS_OPEN(q[FIRST].id) || WEAK(closed_window_entered)))
/* Rule 13: the peer is not within, and what it has written through the window has arrived. */
#define MAY_CLOSE(index) (index < pending && r[index].cancel > 0 && r[index].id != 0 && r[index].memory != NOWHERE \
  && (within[1 - me] != r[index].id || WEAK(closed_while_within)) \
  && (!in??[DIRECT(eval(r[index].id), _, _, _, _, _, _)] || WEAK(closed_before_arrival)) \
  && (!in??[WRITE(_, _, _, _, _, eval(r[index].memory), _)] || WEAK(closed_before_arrival)))

/* The program gets its memory; the ADVERT keeps its place until the answer. */
inline close(index) {
  closedWindows[me] = closedWindows[me] | BIT(r[index].id);
  r[index].memory = NOWHERE
}

inline direct(bytes) {
  i = FIRST;
  send(DIRECT, q[i].id, 0, sent, bytes, false, q[i].memory);
  sent = POSITION(sent + bytes);
  unsent = unsent - bytes;
  q[i].left = (q[i].left > bytes -> q[i].left - bytes : 0);
  if
  :: WEAK(advert_used_again) && q[i].left > 0 -> skip
  :: (!q[i].waitall || q[i].left == 0 || (due & BIT(q[i].id))) && !(WEAK(advert_used_again) && q[i].left > 0) ->
    dropAdvert(i)
  :: else
  fi
}

/* Rule 6. */
#define MAY_GO_INDIRECT(bytes) (started == 0 && unsent >= bytes && (cr >= bytes || WEAK(no_room_needed)) \
  && ((LAZY -> tested : queued) == 0 || !PREFER_DIRECT))

inline goIndirect(bytes) {
  /* Of what has not been tested nothing need be dropped: the test will tell. */
  if
  :: WEAK(queue_kept) || (LAZY && IS_ODD(Ps)) -> skip
  :: else -> dropAllAdverts()
  fi;
  Ps = (IS_ODD(Ps) || WEAK(phase_not_raised) -> Ps : PHASE(Ps + 1));
  sent = POSITION(sent + bytes);
  unsent = unsent - bytes;
  cr = cr - (cr >= bytes -> bytes : cr)
}

/* Rule 14. */
inline switchOver() {
  currentGeneration++;
  cr = B2;
  peerSize = B2;
  offered = false
}

proctype End(byte me, writes, reads; chan in, out) {
  /* sending half */
  byte unsent = writes;    /* bytes the program will still write */
  byte sent;
  byte Ps;
  byte cr = B + WEAK(more_room_than_there_is);            /* free bytes of the peer's hidden buffer */
  byte peerSize = B;
  byte currentGeneration;
  Advert q[QUEUE];
  byte queued;
  byte tested;             /* so many of them have been tested by the writer */
  byte started;            /* bytes of a direct transfer that has been begun by a plain write */
  byte placed;             /* bytes in the hidden buffer that the peer has not been told of */
  byte due;                /* ids of the CANCELLEDs to send, as bits */
  bool offered;            /* a NEWBUF has come */
  bool finSent = writes == 0;
  bool finAcknowledged = writes == 0;
  byte newestPhase;        /* of the ADVERTs that have come, and their positions (rule 16) */
  byte newestPosition;

  /* receiving half */
  byte received;
  byte Pr;
  byte hiddenBytes;        /* of the current region, arrived and not copied */
  byte freed;              /* copied and not acknowledged */
  byte size = B;
  byte generation;
  byte oldHidden;          /* of the region before */
  bool oldHeld;
  bool announced;          /* a NEWBUF has been sent, its SWITCHED has not come */
  byte swaps = SWAPS * (reads > 0);
  byte stash;              /* bytes in detached memory */
  Receive r[RECEIVES];
  byte pending;
  byte nextMemory;
  byte unanswered;         /* ids of the CANCELs sent and not answered, as bits */
  byte cancels;
  bool finSeen = reads == 0;
  bool owesFinAck = WEAK(fin_acknowledged_early) && reads > 0;
  bool ended = reads == 0; /* the program has been told the end of the stream */

  /* both */
  byte available = N;
  byte owed;
  bool aborts;
  bool closes;
  bool closed;
  bool unread;             /* bytes have arrived for a program that has closed */
  bool shuts;
  bool shut;
  bool fenced;
  bool resetSeen;

#if WRAP
  sent = POSITIONS - 2;
  received = POSITIONS - 2;
  newestPosition = POSITIONS - 2;
  Ps = PHASES - 2;
  Pr = PHASES - 2;
  newestPhase = PHASES - 2;
#endif

  /*
   * What the program may do is settled first: a state in which nothing but a further cancel would help must show as one
   * in which nothing happens.
   */
#if CANCELS
  do
  :: reads > 0 && cancels < CANCELS -> cancels++
  :: break
  od;
#endif
#if ABORTS
  if
  :: aborts = true
  :: skip
  fi;
#endif
#if CLOSE
  if
  :: closes = true
  :: skip
  fi;
#endif
#if SHUT
  if
  :: reads > 0 -> shuts = true
  :: skip
  fi;
#endif

end:
  do
  /* ---- The program reads: it posts receives until it has been told the end. */
#if WAITALL != 1
  :: d_step { READS && pending < R && HEAP != 1 -> postReceive(false, false) }
  :: d_step { READS && pending < R && HEAP != 0 -> postReceive(false, true) }
#endif
#if WAITALL != 0
  :: d_step { READS && pending < R && HEAP != 1 -> postReceive(true, false) }
  :: d_step { READS && pending < R && HEAP != 0 -> postReceive(true, true) }
#endif
#if CANCELS
  :: d_step { cancels > 0 && pending > 0 && r[0].cancel == 0 -> cancels--; cancelReceive(0) }
#if R > 1
  :: d_step { cancels > 0 && pending > 1 && r[1].cancel == 0 -> cancels--; cancelReceive(1) }
#endif
#if RECEIVES > 2
  :: d_step { cancels > 0 && pending > 2 && r[2].cancel == 0 -> cancels--; cancelReceive(2) }
#endif
#endif
#if SHUT
  :: d_step { shuts -> shuts = false; cancelAll(); shut = true }
  :: d_step { shut && hiddenBytes + oldHidden > 0 -> /* What arrives is dropped. */
      freed = freed + hiddenBytes; hiddenBytes = 0; oldHidden = 0; oldHeld = false }
#endif
#if CLOSE
  /* A started transfer is completed; with unread bytes, see rule 13. */
  :: d_step { closes && !closed -> closes = false; closed = true; unread = !NOTHING_HIDDEN; cancelAll();
      unsent = 2 * (started > 0) }
#endif

  /* ---- 2 ADVERT */
  :: d_step { MAY_ADVERTISE(0, 0) -> advertise(0, 0) }
#if PART
  :: d_step { MAY_ADVERTISE(0, 1) -> advertise(0, 1) }
#endif
#if R > 1
  :: d_step { MAY_ADVERTISE(1, 0) -> advertise(1, 0) }
#if PART
  :: d_step { MAY_ADVERTISE(1, 1) -> advertise(1, 1) }
#endif
#endif
#if R > 2
  :: d_step { MAY_ADVERTISE(2, 0) -> advertise(2, 0) }
#if PART
  :: d_step { MAY_ADVERTISE(2, 1) -> advertise(2, 1) }
#endif
#endif

  /* ---- 4 An ADVERT arrives. */
  :: d_step { in?ADVERT(id, phase, position, n, waitall, memory, credits) ->
      taken();
      VALID(!IS_ODD(phase));
      VALID(!IS_AFTER(newestPhase, phase));
      VALID(DISTANCE(newestPosition, position) <= DISTANCE(newestPosition, sent));
      newestPhase = phase;
      newestPosition = position;
      if
      :: !finSent && (phase == Ps || (WEAK(no_phase_test) && !IS_AFTER(phase, Ps)) || WEAK(phase_steps_back) ||
          (IS_AFTER(phase, Ps) && (position == sent || WEAK(no_position_test)))) ->
#if LAZY
        do /* What is queued of an earlier phase is of no use any more. */
        :: queued > 0 && IS_AFTER(phase, q[queued - 1].phase) -> dropAdvert(queued - 1)
        :: else -> break
        od;
#else
        Ps = (WEAK(no_phase_test) && !IS_AFTER(phase, Ps) -> Ps : phase);
#endif
        VALID(queued < R);
        if
        :: queued < QUEUE ->
          q[queued].id = id; q[queued].phase = phase; q[queued].left = n; q[queued].memory = memory;
          q[queued].waitall = waitall;
          q[queued].position = (LAZY -> position : 0);
          queued++
        :: else
        fi
      :: else
      fi }

#if LAZY
  :: d_step { tested < queued && started == 0 ->
      i = tested;
      if
      :: q[i].phase == Ps || (IS_AFTER(q[i].phase, Ps) && (q[i].position == sent || WEAK(no_second_test))) ->
        Ps = q[i].phase;
        q[i].position = 0;
        tested++
      :: else -> dropAdvert(i)
      fi }
#endif

  /* ---- 5 Direct */
  :: d_step { MAY_GO_DIRECT(1) -> direct(1) }
#if MOST > 1
  :: d_step { MAY_GO_DIRECT(2) -> direct(2) }
#endif
#if SPLIT
  /* One transfer by two writes of a byte each: one without a message, one with. */
  :: d_step { MAY_WRITE && MAY_GO_DIRECT(2) ->
      started = 1;
      ENTER(q[0].id);
      if
      :: WEAK(two_completions) -> send(DIRECT, q[0].id, 0, sent, 1, false, q[0].memory); started = 2
      :: else -> out!WRITE(0, 0, 0, 1, false, q[0].memory, 0)
      fi }
  :: d_step { started == 1 && MAY_SEND -> started = 0; ENTER(0); direct(2) }
  :: d_step { WEAK(two_completions) && started == 2 && MAY_SEND ->
      send(DIRECT, q[0].id, 0, POSITION(sent + 1), 1, false, q[0].memory);
      sent = POSITION(sent + 2);
      unsent = unsent - 2;
      started = 0;
      ENTER(0);
      dropAdvert(0) }
#endif
#if WINDOWS
  :: d_step { WEAK(closed_window_passed_over) && queued > 1 && started == 0 && !IS_OPEN(q[0].id) -> dropAdvert(0) }
#endif

  /* ---- 6 Indirect */
  :: d_step { MAY_SEND && NO_CANCELLED_DUE && placed == 0 && MAY_GO_INDIRECT(1) ->
      send(INDIRECT, currentGeneration, 0, sent, 1, false, 0); goIndirect(1) }
#if MOST > 1
  :: d_step { MAY_SEND && NO_CANCELLED_DUE && placed == 0 && MAY_GO_INDIRECT(2) ->
      send(INDIRECT, currentGeneration, 0, sent, 2, false, 0); goIndirect(2) }
#endif
#if PLACE
  /* By plain writes, and told later by one message: where a message cannot be sent, or others wait to be told. */
  :: d_step { (N == 0 || !MAY_SEND || placed > 0 || due != 0) && MAY_WRITE && MAY_GO_INDIRECT(1) ->
      out!FILL(currentGeneration, 0, 0, 1, false, 0, 0); goIndirect(1); placed++ }
  :: d_step { placed > 0 && MAY_SEND && NO_CANCELLED_DUE ->
      send(PLACED, currentGeneration, 0, POSITION(sent - placed), placed, false, 0); placed = 0 }
  :: d_step { in?FILL(id, _, _, _, _, _, _) ->
      CHECK(region, id == generation || (id + 1 == generation && oldHeld)) }
#endif

  /* ---- 7 Direct bytes arrive. */
  :: d_step { in?DIRECT(id, _, position, n, _, memory, credits) ->
      taken();
      landed();
      CHECK(live, r[0].id == id && (NOTHING_HIDDEN || r[0].detached));
      CHECK(live, hiddenBytes + oldHidden == 0);
      CHECK(held, n <= r[0].window);
      CHECK(in_order, position == received && !finSeen);
      received = POSITION(received + n);
      r[0].want = r[0].want - n;
      r[0].window = r[0].window - n;
      stash = stash + (r[0].detached -> n : 0);
      unread = closed;
      if
      :: !r[0].waitall || r[0].want == 0 || WEAK(partial_completes) ||
         (r[0].cancel > 0 && (r[0].window == 0 || WEAK(partial_ends_cancelled))) -> giveBack(0)
      :: else -> r[0].id = (r[0].window == 0 -> 0 : r[0].id) /* An ADVERT for a part is used up. */
      fi }
#if SPLIT
  :: d_step { in?WRITE(_, _, _, _, _, memory, _) -> landed() }
#endif

  /* ---- 8 Indirect bytes arrive. */
  :: d_step { in?INDIRECT(id, _, position, n, _, _, credits) -> taken(); arrived() }
#if PLACE
  :: d_step { in?PLACED(id, _, position, n, _, _, credits) -> taken(); arrived() }
#endif

  /* ---- 9 Copy */
  :: d_step { !NOTHING_HIDDEN && pending > TARGET -> copy() }

  /* ---- 10 ACK */
  :: d_step { freed >= (WEAK(late_ack) -> B + 1 : THRESHOLD) && MAY_SEND ->
      send(ACK, generation, 0, 0, freed, false, 0);
      freed = (WEAK(ack_repeated) && !finSeen -> freed : 0) }
  :: d_step { in?ACK(id, _, _, n, _, _, credits) ->
      taken();
      if
      :: id == currentGeneration || WEAK(ack_without_generation) ->
        cr = cr + n;
        VALID(cr <= peerSize)
      :: else
      fi }

  /* ---- 11 CANCEL */
#if CANCELS || CLOSE || SHUT
  :: d_step { MAY_SEND && pending > 0 && (r[0].cancel == 1 || (RECEIVES > 1 && r[1 % RECEIVES].cancel == 1) || (RECEIVES > 2 && r[2 % RECEIVES].cancel == 1)) ->
      i = 0;
      do
      :: r[i].cancel != 1 -> i++
      :: else -> break
      od;
      r[i].cancel = 2;
      unanswered = unanswered | BIT(r[i].id);
      send(CANCEL, r[i].id, Pr, 0, 0, false, 0);
      if
      :: WEAK(cancelled_not_awaited) -> giveBack(i)
      :: else
      fi }
  :: d_step { in?CANCEL(id, phase, _, _, _, _, credits) ->
      taken();
      i = 0;
      do
      :: i < queued && !(q[i].id == id && q[i].phase == phase) -> i++
      :: else -> break
      od;
      if
      :: WEAK(unknown_not_answered) && i == queued -> skip
      :: WEAK(no_answer_after_fin) && finSent -> skip
      :: else ->
        due = due | BIT(id);
        if
        :: i < queued && !(i == 0 && started > 0) && !WEAK(kept_after_cancel) -> dropAdvert(i)
        :: else
        fi
      fi }
  /* The completion of a started transfer goes first. */
  :: d_step { due != 0 && MAY_SEND && (started == 0 || WEAK(cancelled_before_completion)) ->
      i = 1;
      do
      :: !(due & BIT(i)) -> i++
      :: else -> break
      od;
      due = (WEAK(cancelled_once_too_often) && !finSent -> due : due & ~BIT(i));
      send(CANCELLED, i, 0, 0, 0, false, 0) }
  :: d_step { in?CANCELLED(id, _, _, _, _, _, credits) ->
      taken();
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
#endif
#if WINDOWS
  /* 13 Nobody needs to answer. */
  :: d_step { MAY_CLOSE(0) -> close(0) }
#if R > 1
  :: d_step { MAY_CLOSE(1) -> close(1) }
#endif
#endif
#if DETACH
  /* 13 The answer takes too long: the program gets its memory, other memory takes its place under the ADVERT. */
  :: d_step { MAY_DETACH(0) -> detach(0) }
#if R > 1
  :: d_step { MAY_DETACH(1) -> detach(1) }
#endif
#endif

  /* ---- 12 FIN */
  :: d_step { !finSent && (unsent == 0 || WEAK(data_after_fin)) && (placed == 0 || WEAK(fin_before_announcement)) && due == 0 && started == 0 &&
        MAY_SEND ->
      finSent = true;
      offered = false;
      dropAllAdverts();
      send(FIN, 0, 0, sent, 0, false, 0) }
  :: d_step { in?FIN(_, _, position, _, _, _, credits) ->
      taken();
      CHECK(in_order, position == received && !finSeen);
      killAdverts();
      finSeen = true;
      owesFinAck = true }
  :: d_step { finSeen && pending > 0 && (NOTHING_HIDDEN || WEAK(end_before_hidden)) ->
      giveAllBack(); ended = true }
  :: d_step { owesFinAck && MAY_SEND ->
      owesFinAck = false; send(FIN_ACK, 0, 0, 0, 0, false, 0) }
  :: d_step { in?FIN_ACK(_, _, _, _, _, _, credits) ->
      taken();
      VALID(finSent && !finAcknowledged);
      finAcknowledged = true }

  /* ---- 13 RST. Not a message: it needs no credit and has always room. */
#if ABORTS || CLOSE
  :: d_step { aborts || (closed && unread) ->
      fenced = !WEAK(no_fence);
      giveAllBack();
      out!RST(0, 0, 0, 0, false, 0, 0) } -> goto gone
  :: d_step { in?RST(_, _, _, _, _, _, _) -> giveAllBack(); resetSeen = true } -> goto gone
#endif

  /* ---- 14 NEWBUF, SWITCHED */
#if SWAPS
  :: d_step { swaps > 0 && (!announced || WEAK(second_offer)) && !oldHeld && !finSeen && MAY_SEND ->
      swaps--;
      announced = true;
      send(NEWBUF, generation + 1, 0, 0, B2, false, 0);
      generation = generation + (WEAK(released_early) && hiddenBytes == 0) }
  :: d_step { in?NEWBUF(id, _, _, n, _, _, credits) ->
      taken();
      VALID(id == currentGeneration + 1 && !offered);
      offered = !finSent }
  :: d_step { offered && MAY_SEND && placed == 0 ->
      if
      :: WEAK(switched_late) && unsent > 0 -> /* A byte goes ahead of it. */
        switchOver(); goIndirect(1); send(INDIRECT, currentGeneration, 0, POSITION(sent - 1), 1, false, 0)
      :: else -> switchOver(); send(SWITCHED, currentGeneration, 0, sent, 0, false, 0)
      fi;
      currentGeneration = currentGeneration - WEAK(old_region_written) }
  :: d_step { in?SWITCHED(id, _, position, _, _, _, credits) ->
      taken();
      VALID(announced && id == generation + 1 && position == received);
      announced = false;
      generation = id;
      oldHidden = hiddenBytes;
      oldHeld = oldHidden > 0;
      hiddenBytes = 0;
      freed = 0; /* What was copied of the old region is of no use to the sender any more. */
      size = B2 }
#endif

  /* ---- 15 CREDIT */
#if N > 0
  :: d_step { owed >= (WEAK(credit_for_one) -> 1 : (WEAK(credit_for_all) -> N : T)) && available > 0 ->
      send(CREDIT, 0, 0, 0, 0, false, 0) }
  :: d_step { in?CREDIT(_, _, _, _, _, _, credits) -> taken() }
#endif

  /* ---- Nothing happens any more, at either end: then everything must have happened. */
  :: timeout ->
    CHECK(complete, unsent == 0 && finSent && placed == 0 && started == 0 && due == 0);
    CHECK(complete, finSeen && finAcknowledged && unanswered == 0 && pending == 0 && (ended || shut || closed));
    CHECK(complete, NOTHING_HIDDEN || closed);
    goto rested
  od;

  /* After an abort of its own an end takes in nothing. After the other's it must have nothing to take in. */
gone:
end_gone:
  do
  :: d_step { in?kind(_, _, _, _, _, _, _) ->
      CHECK(held, fenced || (kind != DIRECT && kind != WRITE));
      CHECK(quiet, !resetSeen) }
#if ABORTS
  :: d_step { WEAK(posts_after_rst) && !resetSeen && queued > 0 && MAY_WRITE ->
      out!DIRECT(q[0].id, 0, sent, 1, false, q[0].memory, 0); queued = 0 }
#endif
  od;

rested:
end_rested:
  false
}

init {
  atomic {
    run End(0, L0, L1, wire[1], wire[0]);
    run End(1, L1, L0, wire[0], wire[1])
  }
}
