/** A page that receives a proof-of-work challenge solves it, shows its progress, and repeats the request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type DoneWork, isWorkNonce, type SignInWork } from "@pricetime/protocol";
import { Denied } from "../../src/pages/request.ts";
import { SignInWorker } from "../../src/pages/sign-in-work.ts";

const workOf = (letter: string, bits: number): SignInWork => {
  const prefix = letter.repeat(32);
  return { challenge: `of ${letter}`, prefix, pieces: 16, bits, untilMs: 1 };
};
const denied = (code: string, work?: SignInWork): Denied =>
  new Denied("no", { code, status: 429, isUnknown: false, work });

/** A worker whose clock advances with each read, with its reported progress and its number of pauses. */
function newWorker(): { worker: SignInWorker; shown: string[]; pauses: () => number } {
  const shown: string[] = [];
  let [nowMs, pauses] = [0, 0];
  const after = (_: number, run: () => void): (() => void) => {
    pauses++;
    setImmediate(run);
    return () => {};
  };
  const worker = new SignInWorker({ after, elapsedMs: () => (nowMs += 30) }, (done, of) => shown.push(`${done}/${of}`));
  return { worker, shown, pauses: () => pauses };
}

/** Responds as listed, one request after the other, and records the proofs that were sent. */
function node(answers: readonly (Denied | string)[]): {
  sent: (DoneWork | undefined)[];
  send: (work: DoneWork | undefined) => Promise<string>;
} {
  const sent: (DoneWork | undefined)[] = [];
  const send = (work: DoneWork | undefined): Promise<string> => {
    const answer = answers[sent.length] ?? assert.fail("asked once too often");
    sent.push(work);
    return answer instanceof Denied ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { sent, send };
}

test("the required work is done, and more of it if more is required", async () => {
  const { worker, shown, pauses } = newWorker();
  const [first, second] = [workOf("a", 6), workOf("b", 11)];
  const { sent, send } = node([denied("TOO_MANY_TRIES", first), denied("BUSY", second), "in"]);
  assert.equal(await worker.send(send), "in");
  assert.deepEqual(
    sent.map((work) => work?.challenge),
    [undefined, "of a", "of b"],
  );
  for (const [at, work] of [first, second].entries()) {
    const { nonces = [] } = sent[at + 1] ?? {};
    assert.equal(nonces.length, 16);
    assert.ok(nonces.every((nonce, piece) => isWorkNonce(work, piece, nonce)));
  }
  assert.deepEqual([shown.slice(0, 3), shown.at(-1)], [["0/16", "1/16", "2/16"], "0/0"]);
  assert.ok(pauses() > 0, "the page can answer meanwhile");
});

test("an error without a challenge is thrown, and unused work is sent again with the code", async () => {
  const { worker, pauses } = newWorker();
  const { sent, send } = node([denied("TOO_MANY_TRIES", workOf("a", 4)), denied("CODE_REQUIRED"), "in"]);
  await assert.rejects(worker.send(send), { code: "CODE_REQUIRED" });
  assert.ok(pauses() > 0, "pieces that are short do not add up to a page that stands still");
  assert.equal(await worker.send(send), "in");
  assert.deepEqual(sent[2], sent[1]);
});

test("the number of solved challenges is bounded", async () => {
  const { worker } = newWorker();
  const { sent, send } = node(Array.from({ length: 20 }, () => denied("BUSY", workOf("c", 1))));
  await assert.rejects(worker.send(send), { code: "BUSY" });
  assert.ok(sent.length < 10, `${sent.length}`);
});
