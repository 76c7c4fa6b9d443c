/*
 * The end of a connection over an adapter, seen by the end that is left (EndpointLife, decision 12): messages of the peer,
 * the last of which is its farewell, complete on the queue pair; the connection manager's report of the end comes by a way
 * of its own, and may overtake them. Options: N receives posted for messages, WORK messages the peer sends at most.
 *
 * The adapter of the end that is left works off what it has acknowledged in its order: arrived messages become completions,
 * then, in the error state, receives are flushed. Requests of its own are flushed at any time in between.
 */
#ifndef N
#define N 2
#endif
#ifndef WORK
#define WORK 3
#endif

mtype = { MESSAGE, FAREWELL, FLUSHED };

/*
 * no_drain: the report is taken for the end. flushed_request: a flushed request, too, before all receives are back.
 * no_wait: the peer disconnects before its farewell is acknowledged. no_spare: no receive is kept for the farewell.
 * silence: only a farewell ends the drain.
 */
mtype:weak = { none, no_drain, flushed_request, no_wait, no_spare, silence };
#ifndef MUTANT
#define MUTANT none
#endif
#define WEAK(name) (name == MUTANT)

hidden byte heard;        /* an end that was left in order is told so, and has got everything before */
hidden byte complete;     /* when nothing more happens, each end knows that it is over */
#define CHECK(property, condition) assert((condition) || property)

#define RECEIVES (N + (WEAK(no_spare) -> 0 : 1))

chan network = [1] of { mtype };           /* what the peer's adapter has sent, and this one has not acknowledged */
chan adapter = [N + 1] of { mtype };       /* acknowledged, not yet placed */
chan completions = [N + 2] of { mtype };   /* the CQ */
chan credits = [N] of { bit };

byte posted = RECEIVES;
bit acknowledged;         /* the farewell; this adapter has it */
bit killed;               /* the peer has said nothing */
bit reported;             /* the connection manager's message is there */
bit failed;               /* the queue pair is in the error state */

proctype Peer() {
  byte work = WORK;
  byte available = N;
  bit unused;

  do
  :: atomic { work > 0 && available > 0 && nfull(network) -> work--; available--; network!MESSAGE }
  :: credits?unused -> available++
  :: true -> break
  od;
  if
  :: atomic { nfull(network) -> network!FAREWELL };
    acknowledged || failed || WEAK(no_wait)
  :: killed = true
  fi;
  reported = true
}

/* Of the end that is left. A message without a receive is refused, and sent again. */
proctype Adapter() {
  mtype what;

end:
  do
  :: atomic { !failed && posted > 0 && nempty(network) -> network?what; posted--; adapter!what;
      acknowledged = acknowledged || what == FAREWELL }
  :: atomic { nempty(adapter) && nfull(completions) -> adapter?what; completions!what }
  :: atomic { failed && empty(adapter) && posted > 0 && nfull(completions) -> posted--; completions!FLUSHED }
  od
}

proctype End() {
  byte back;            /* receives that have come back and are not posted again */
  bit reads = 1;        /* the program; until it does, no receive is posted again */
  bit told;
  bit over;
  bit draining;
  byte flushedRequests = 1;
  mtype what;

  do
  :: atomic { !over && nempty(completions) -> completions?what; back++; told = told || what == FAREWELL }
  :: atomic { !over && !failed && reads && back > 0 && !told -> back--; posted++; credits!0 }
  :: reads -> reads = false
  :: atomic { !over && reported && !draining ->
      draining = true; failed = true;
      over = WEAK(no_drain) }
  :: atomic { !over && draining && flushedRequests > 0 -> flushedRequests--;
      over = WEAK(flushed_request) }
  :: atomic { !over && draining && (told || (back == RECEIVES && !WEAK(silence))) -> over = true }
  :: over -> break
  :: timeout -> break
  od;
  CHECK(complete, over);
  CHECK(heard, killed || told)
}

init {
  atomic {
    run Peer();
    run Adapter();
    run End()
  }
}
