/** Turns a call into a command and back: endpoints change the exchange only this way. */
import type { Command, RejectReason } from "@pricetime/engine";
import { rejectError } from "@pricetime/protocol";
import type { ApiError, OrderType, RejectContext } from "@pricetime/protocol";
import type { Outcome } from "../journal/sequencer/port.ts";
import { answerLater, DEFERRED } from "./call.ts";
import type { Call } from "./call.ts";
import type { MaybeLong } from "./answers/long-list.ts";
import { Refused } from "./edge/refusals.ts";

/** Translates the engine's refusals: by the kind of request, or by a table of the endpoint's own. */
type RefusalWords =
  | {
      readonly context: RejectContext;
      /** The order type named in refusals. */
      readonly orderType?: OrderType;
    }
  | { readonly refusal: (reason: RejectReason) => ApiError };

export type Submission = RefusalWords & SubmissionEnd;

interface SubmissionEnd {
  /** Makes the answer from the command's outcome. Called while the engine is at that entry. */
  readonly body: (outcome: Outcome) => MaybeLong;
  /** The answer to a command that was rejected only because an equal one was done before; absent: it is rejected. */
  readonly repeated?: () => string;
  /** Called with the outcome before the call is answered. */
  readonly settled?: (outcome: Outcome | Error) => void;
}

export function refusalOf(reason: RejectReason, context: RejectContext, orderType?: OrderType): Refused {
  return new Refused(rejectError(reason, context, orderType));
}

function refusalIn(reason: RejectReason, words: RefusalWords): Refused {
  return "refusal" in words ? new Refused(words.refusal(reason)) : refusalOf(reason, words.context, words.orderType);
}

export function submit(call: Call, command: Command, submission: Submission): typeof DEFERRED {
  call.venue.sequencer.submit(command, (outcome) => {
    try {
      submission.settled?.(outcome);
      if (outcome instanceof Error) {
        call.refuse(outcome);
        return;
      }
      const first = outcome.events[0];
      if (first?.type === "rejected" && first.reason === "ALREADY_EXISTS" && submission.repeated !== undefined) {
        call.answer(submission.repeated());
        return;
      }
      if (first?.type === "rejected") {
        call.refuse(refusalIn(first.reason, submission));
        return;
      }
      const body = submission.body(outcome);
      if (body instanceof Promise) void answerLater(call, body);
      else call.answer(body);
    } catch (error) {
      call.refuse(error);
    }
  });
  return DEFERRED;
}
