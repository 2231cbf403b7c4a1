/** Compares every response with its command, each exactly once. */
import { SERVER_BUSY, TIMEOUT } from "@pricetime/protocol";
import { GATE_ANSWERS, KINDS, type Kind } from "../command-id.ts";
import { type Answers, digestOf, readAnswers } from "../records.ts";
import type { Findings } from "./findings.ts";

const errorAnswer = ({ status, code, msg }: { status: number; code: number; msg: string }): string =>
  `${status} ${JSON.stringify({ code, msg })}`;
/** The request was not accepted and not executed. */
const BUSY = errorAnswer(SERVER_BUSY);
/** It is unknown whether the request was executed. */
const UNKNOWN = errorAnswer(TIMEOUT);

export class AnswerCheck {
  /** Responses that match the journal's outcome of their commands. */
  matched = 0;
  /** Requests that were rejected before there was a command, as expected. */
  refusedAtGate = 0;
  /** Responses 503: not accepted, and not in the journal. */
  notAccepted = 0;
  /** Responses 504. */
  unknown = 0;
  readonly #answers: Answers;
  readonly #findings: Findings;
  readonly #isInJournal: Uint8Array;

  constructor(path: string, sent: number, findings: Findings) {
    this.#answers = readAnswers(path, sent);
    this.#findings = findings;
    this.#isInJournal = new Uint8Array(sent + 1);
    for (const id of this.#answers.surplus) findings.add(`request ${id}: one answer too many`);
  }

  /** The journal has the command of request `id`, whose response must be `expected`. */
  command(id: number, kind: Kind, seq: number, expected: string): void {
    const what = `request ${id}, entry ${seq}`;
    if (id >= this.#isInJournal.length) return this.#findings.add(`${what}: nobody sent it`);
    if (this.#isInJournal[id] === 1) return this.#findings.add(`${what}: it is in the journal twice`);
    this.#isInJournal[id] = 1;
    const status = this.#answers.statuses[id];
    if (status === 0) return this.#findings.add(`${what}: it was never answered; it must be ${expected}`);
    const asked = KINDS[this.#answers.kinds[id] as number];
    if (asked !== kind) return this.#findings.add(`${what}: a ${kind}, and ${asked} was asked for`);
    if (this.#is(id, expected)) this.matched++;
    else if (this.#is(id, UNKNOWN)) this.unknown++;
    else this.#findings.add(`${what}: ${this.#said(id)} was answered; it must be ${expected}`);
  }

  /** Called after the whole journal: checks the requests that it does not contain. */
  others(): void {
    for (let id = 1; id < this.#isInJournal.length; id++) {
      if (this.#isInJournal[id] === 0) this.#withoutCommand(id);
    }
  }

  #withoutCommand(id: number): void {
    if (this.#answers.statuses[id] === 0)
      return this.#findings.add(`request ${id}: never answered, not in the journal`);
    const kind = KINDS[this.#answers.kinds[id] as number] as Kind;
    const expected = GATE_ANSWERS[kind];
    if (expected !== undefined && this.#is(id, expected)) this.refusedAtGate++;
    else if (this.#is(id, BUSY)) this.notAccepted++;
    else if (this.#is(id, UNKNOWN)) this.unknown++;
    else this.#findings.add(`request ${id} (${kind}): ${this.#said(id)} was answered, and it is not in the journal`);
  }

  #is(id: number, expected: string): boolean {
    const digest = digestOf(expected);
    const { digests } = this.#answers;
    return digests[2 * id] === digest.readUInt32LE(0) && digests[2 * id + 1] === digest.readUInt32LE(4);
  }

  #said(id: number): string {
    for (const known of [BUSY, UNKNOWN]) if (this.#is(id, known)) return known;
    return `another text with status ${this.#answers.statuses[id]}`;
  }
}
