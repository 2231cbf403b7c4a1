/** Data that is requested once is requested again only while the node is temporarily unavailable. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { signal } from "@preact/signals";
import { Denied } from "../../src/pages/request.ts";
import { type LastFetched, poll, NO_ANSWER, OFTEN_MS } from "../../src/pages/page-data.ts";

const denied = (status: number): Denied => new Denied("no", { code: "", status, isUnknown: false });

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { document: { visibilityState: "visible" } });
});
afterEach(() => {
  mock.timers.reset();
  Reflect.deleteProperty(globalThis, "document");
});

/** The state after that many rounds of a page that requests once; the node sends `answers` one after the other. */
async function kept(answers: readonly (Denied | string)[]): Promise<{ asked: number; last: LastFetched<string> }> {
  const last = signal<LastFetched<string>>(NO_ANSWER);
  let asked = 0;
  const ask = (): Promise<string> => {
    const answer = answers[asked++] ?? assert.fail("asked once too often");
    return answer instanceof Denied ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const end = poll(ask, "it", undefined, last);
  for (let round = 0; round < answers.length + 2; round++) {
    for (let n = 0; n < 5; n++) await Promise.resolve();
    mock.timers.tick(OFTEN_MS);
  }
  end();
  return { asked, last: last.value };
}

test("a busy node is asked again until it responds", async () => {
  const { asked, last } = await kept([denied(503), denied(503), "it is"]);
  assert.deepEqual([asked, last], [3, { of: "it", value: "it is", denied: null }]);
});

test("a final error is not retried", async () => {
  for (const status of [403, 404]) {
    const { asked, last } = await kept([denied(status)]);
    assert.deepEqual([asked, last.denied?.status], [1, status]);
  }
});
