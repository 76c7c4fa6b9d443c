/*
 * Message credits alone (rule 15), for more of them than stream.pml can afford: two ends that send what they like, each
 * message of which may want a reply. Options: N receives posted at each end, of which B are posted again together, a
 * CREDIT is sent for T credits owed, WORK messages each end sends of its own accord.
 */
#ifndef N
#define N 3
#endif
#ifndef T
#define T 2
#endif
#ifndef B
#define B 1
#endif
#ifndef WORK
#define WORK 4
#endif
/* Messages of one end that want a reply it has not got, at most. */
#ifndef REQUESTS
#define REQUESTS 2
#endif

mtype:message = { PLAIN, REQUEST, REPLY, CREDIT };

mtype:weak = {
  none, no_reserve, no_credit, credit_for_one, credit_for_all, credits_not_returned, reply_before_receive,
  owed_before_posted, too_many_together
};
#ifndef MUTANT
#define MUTANT none
#endif
#define WEAK(name) (name == MUTANT)

hidden byte posted;       /* no message arrives without a posted receive */
hidden byte valid;        /* no end gets more credits than there are */
hidden byte complete;     /* when nothing more happens, everything has been sent */
#define CHECK(property, condition) assert((condition) || property)

#define MAY_SEND (WEAK(no_credit) || available >= (WEAK(no_reserve) -> 1 : 2))

hidden byte credits;

/* Receives of each end that were used and are not posted again yet. */
byte used[2];

#define TOGETHER (WEAK(too_many_together) -> N : B)

inline send(kind) {
  CHECK(posted, len(out) + used[1 - me] < N);
  available = available - (available > 0);
  out!kind((WEAK(credits_not_returned) -> 0 : owed));
  owed = 0
}

inline taken() {
  available = available + credits;
  used[me]++;
  owed = owed + WEAK(owed_before_posted);
  if
  :: used[me] >= TOGETHER -> owed = owed + (WEAK(owed_before_posted) -> 0 : used[me]); used[me] = 0
  :: else
  fi;
  CHECK(valid, available <= N && owed <= N)
}

/* An end that waits for a credit before it goes on receiving. */
#define LISTENS (!WEAK(reply_before_receive) || replies == 0)

chan wire[2] = [N] of { mtype:message, byte };

proctype End(chan in, out; bit me) {
  byte available = N;  /* receives of the other end that are free, as far as this end knows */
  byte owed;           /* receives of this end that are free again, and the other end does not know */
  byte work = WORK;
  byte unanswered;
  byte replies;

end:
  do
  :: d_step { work > 0 && MAY_SEND -> work--; send(PLAIN) }
  :: d_step { work > 0 && unanswered < REQUESTS && MAY_SEND -> work--; unanswered++; send(REQUEST) }
  :: d_step { replies > 0 && MAY_SEND -> replies--; send(REPLY) }
  :: d_step { owed >= (WEAK(credit_for_one) -> 1 : (WEAK(credit_for_all) -> N : T)) && available > 0 -> send(CREDIT) }
  :: d_step { LISTENS && nempty(in) ->
      if
      :: in?PLAIN(credits)
      :: in?REQUEST(credits) -> replies++
      :: in?REPLY(credits) -> unanswered--
      :: in?CREDIT(credits)
      fi;
      taken() }
  :: timeout ->
    CHECK(complete, work == 0 && replies == 0 && unanswered == 0);
    goto rested
  od;

rested:
end_rested:
  false
}

init {
  atomic {
    run End(wire[1], wire[0], 0);
    run End(wire[0], wire[1], 1)
  }
}
