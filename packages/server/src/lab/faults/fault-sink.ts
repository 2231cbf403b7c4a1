/** Applies faults to requests and their responses, in the order in which the faults were injected. */
import type {
  Entrance,
  GatewayRequest,
  GatewayResponse,
  MethodRequest,
  Replier,
  Spoil,
} from "../../api/edge/request.ts";
import type { LimitRule } from "../../api/edge/rate-limit-rules.ts";
import { type Delays, drawMs } from "./delays.ts";
import { BANDWIDTH_SLICE_MS, type RequestFault } from "./fault.ts";
import assert from "node:assert/strict";
import { onReply, RequestStage } from "../request-stage.ts";
import { STOPPING } from "../../api/edge/http/own-answers.ts";
import { type Asked, askedOverRest, askedOverSocket, describeRequest } from "./targets.ts";
import type { FaultBook, RequestRule } from "./fault-book.ts";
import { failureOf, replyOf } from "./made-answers.ts";

const BITS = 8;
const GARBAGE = "#".charCodeAt(0);

/** Sends the body in `chunks` pieces of about the same size, the last one after `ms`. */
function dribble(chunks: number, ms: number, delays: Delays): Spoil {
  return (line) => {
    const { body } = line;
    line.sendHead();
    const send = (piece: number): void => {
      const at = (part: number): number => Math.floor((body.length * part) / chunks);
      const bytes = body.subarray(at(piece), at(piece + 1));
      if (bytes.length > 0) line.write(bytes);
      if (piece + 1 === chunks || !line.isOpen) line.done();
      else next(piece + 1);
    };
    const dueMs = (piece: number): number => Math.floor((ms * (piece + 1)) / chunks);
    const next = (piece: number): void =>
      delays.later(
        dueMs(piece) - (piece === 0 ? 0 : dueMs(piece - 1)),
        () => send(piece),
        () => line.end(),
      );
    next(0);
  };
}

/** Limits the response to `kbps` thousand bits a second. */
function bandwidth(kbps: number, delays: Delays): Spoil {
  const sliceBytes = Math.max(1, Math.floor((kbps * BANDWIDTH_SLICE_MS) / BITS));
  return (line) => {
    const { body } = line;
    line.sendHead();
    const send = (from: number): void => {
      const to = Math.min(body.length, from + sliceBytes);
      if (to > from) line.write(body.subarray(from, to));
      if (to === body.length || !line.isOpen) line.done();
      else next(to);
    };
    const next = (from: number): void =>
      delays.later(
        BANDWIDTH_SLICE_MS,
        () => send(from),
        () => line.end(),
      );
    next(0);
  };
}

/** Sends the first bytes of the body and closes the connection, although the header announced more. */
function truncate(bytes: number): Spoil {
  return (line) => {
    line.sendHead();
    const part = line.body.subarray(0, bytes);
    if (part.length > 0) line.write(part);
    line.end();
  };
}

/** Sends a body of the right length whose second half is neither JSON nor gzip. */
const garble: Spoil = (line) => {
  line.sendHead();
  const { body } = line;
  const half = Math.floor(body.length / 2);
  line.write(Buffer.concat([body.subarray(0, half), Buffer.alloc(body.length - half, GARBAGE)]));
  line.done();
};

const disconnect: Spoil = (line) => line.end();
const reset: Spoil = (line) => line.reset();
const hang: Spoil = (line) => line.abandon();

/** A request while faults are applied to it. */
interface Passage {
  readonly asked: Asked;
  readonly rules: readonly RequestRule[];
  readonly carryOut: (replier: Replier, skewMs: number) => void;
  skewMs: number;
  /** Whether the response was damaged, which happens only once. */
  isSpoilt: boolean;
}

type Go = (replier: Replier) => void;
type Spoiling = Extract<RequestFault, { fault: "dribble" | "bandwidth" | "truncate" | "garble" }>;

const NO_ANSWER: GatewayResponse = { status: 200, headers: [], body: "" };
const SPOILS: ReadonlySet<string> = new Set([
  ...["dribble", "bandwidth", "truncate", "garble"],
  ...["disconnect", "reset", "hang"],
]);

export class FaultSink extends RequestStage {
  readonly #book: FaultBook;
  readonly #rules: readonly LimitRule[];

  constructor(book: FaultBook, inner: Entrance, rules: readonly LimitRule[]) {
    super(inner);
    this.#book = book;
    this.#rules = rules;
  }

  process(request: GatewayRequest, replier: Replier): void {
    const { requestRules: rules, view } = this.#book;
    const asked = rules.length === 0 ? null : askedOverRest(request, view);
    const carryOut: Passage["carryOut"] = (last, skewMs) => this.inner.process({ ...request, skewMs }, last);
    if (asked === null) this.inner.process(request, replier);
    else this.#go({ asked, rules, carryOut, skewMs: 0, isSpoilt: false }, 0, replier);
  }

  processMethod(request: MethodRequest, replier: Replier): void {
    const { requestRules: rules, view } = this.#book;
    const asked = rules.length === 0 ? null : askedOverSocket(request, view);
    const carryOut: Passage["carryOut"] = (last, skewMs) => this.inner.processMethod({ ...request, skewMs }, last);
    if (asked === null) this.inner.processMethod(request, replier);
    else this.#go({ asked, rules, carryOut, skewMs: 0, isSpoilt: false }, 0, replier);
  }

  /** Applies the rules from index `from` on. */
  #go(passage: Passage, from: number, replier: Replier): void {
    const { asked, rules } = passage;
    for (let at = from; at < rules.length; at++) {
      const { rule, isMeant } = rules[at] as RequestRule;
      const { fault } = rule;
      if (SPOILS.has(fault.fault) && passage.isSpoilt) continue;
      if (!isMeant(asked) || !this.#book.strikes(rule)) continue;
      passage.isSpoilt ||= SPOILS.has(fault.fault);
      const told = this.#strike(fault, passage, replier, (next) => this.#go(passage, at + 1, next));
      this.#book.note(rule, { ...describeRequest(asked), ...told });
      return;
    }
    passage.carryOut(replier, passage.skewMs);
  }

  /** Applies a fault. Returns details for the list of faults in addition to the request. */
  #strike(fault: RequestFault, passage: Passage, replier: Replier, go: Go): { readonly ms?: number } {
    const { family } = passage.asked.endpoint;
    switch (fault.fault) {
      case "delay":
        return { ms: this.#delay(fault, replier, go) };
      case "fail-before":
        replier.reply(failureOf(fault, family));
        return {};
      case "fail-after":
        go(replacing(replier, ({ headers }) => ({ ...failureOf(fault, family), headers })));
        return {};
      case "reply": {
        const made = (): GatewayResponse => replyOf(fault, family, this.#book.nowMs(), this.#rules);
        if (fault.when === "before") replier.reply(made());
        else go(replacing(replier, made));
        return {};
      }
      case "disconnect":
        return breakOff(fault, disconnect, replier, go);
      case "reset":
        return breakOff(fault, reset, replier, go);
      case "hang":
        return breakOff(fault, hang, replier, go);
      case "skew":
        passage.skewMs += fault.ms;
        go(passage.asked.endpoint.id === "time" ? replacing(replier, (told) => skewed(told, fault.ms)) : replier);
        return {};
      case "dribble":
      case "bandwidth":
      case "truncate":
      case "garble":
        go(spoiling(replier, this.#spoilOf(fault)));
        return {};
    }
  }

  #delay(fault: Extract<RequestFault, { fault: "delay" }>, replier: Replier, go: Go): number {
    const { delays, dice } = this.#book;
    const ms = drawMs(fault, dice);
    if (fault.when === "before") {
      delays.later(
        ms,
        () => go(replier),
        () => replier.reply(STOPPING),
      );
    } else {
      go(
        onReply(replier, (answer, send) => {
          const sendIt = (): void => send(answer);
          delays.later(ms, sendIt, sendIt);
        }),
      );
    }
    return ms;
  }

  #spoilOf(fault: Spoiling): Spoil {
    const { delays } = this.#book;
    switch (fault.fault) {
      case "dribble":
        return dribble(fault.chunks, fault.ms, delays);
      case "bandwidth":
        return bandwidth(fault.kbps, delays);
      case "truncate":
        return truncate(fault.bytes);
      case "garble":
        return garble;
    }
  }
}

function breakOff(
  { when }: { readonly when: "before" | "after" },
  spoil: Spoil,
  replier: Replier,
  go: Go,
): Record<string, never> {
  if (when === "before") spoilt(replier, NO_ANSWER, spoil);
  else go(spoiling(replier, spoil));
  return {};
}

/** Replaces the exchange's response. */
function replacing(replier: Replier, make: (answer: GatewayResponse) => GatewayResponse): Replier {
  return onReply(replier, (answer, send) => send(make(answer)));
}

function spoiling(replier: Replier, spoil: Spoil): Replier {
  return { reply: (answer) => spoilt(replier, answer, spoil) };
}

function spoilt(replier: Replier, answer: GatewayResponse, spoil: Spoil): void {
  assert(replier.spoil !== undefined, "requests from outside have a line");
  replier.spoil(answer, spoil);
}

function skewed(answer: GatewayResponse, ms: number): GatewayResponse {
  if (answer.status !== 200 || typeof answer.body !== "string") return answer;
  const { serverTime } = JSON.parse(answer.body) as { serverTime: number };
  return { ...answer, body: JSON.stringify({ serverTime: serverTime + ms }) };
}
