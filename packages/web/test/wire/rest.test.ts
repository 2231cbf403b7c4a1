/** Requests to a real node: values, errors, signatures, clocks, limits. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import type { Exchange } from "@pricetime/testkit/venue";
import { untilDone } from "../../src/wire/pacing.ts";
import { Refused, Rest, signingKey } from "../../src/wire/rest.ts";
import { startQuietNode, watchedWorld } from "../venue.ts";

let node: Exchange;
before(async () => {
  node = await startQuietNode({ dataFolder: temporaryFolder(), limits: "on" });
});
after(() => node.kill());

async function refused(asked: Promise<unknown>): Promise<Refused> {
  const error = await asked.then(
    () => assert.fail("it was not refused"),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Refused);
  return error;
}

const keyOf = async (name: string) => {
  const account = node.accounts.find((one) => one.name === name);
  return signingKey(account?.apiKey ?? "", account?.secretKey ?? "");
};

test("a value, an error, and no response", async () => {
  const rest = new Rest(node.rest, watchedWorld());
  assert.deepEqual(await rest.get("/api/v3/ping"), {});
  const wrong = await refused(rest.get("/api/v3/depth", { symbol: "NOSUCH" }));
  assert.deepEqual([wrong.code, wrong.message, wrong.isUnknown], [-1121, "Invalid symbol.", false]);
  const gone = await refused(new Rest("http://127.0.0.1:9", watchedWorld()).get("/api/v3/ping"));
  assert.deepEqual([gone.code, gone.isUnknown], [null, true]);
});

test("a signature by WebCrypto is accepted for any text, and a wrong one is rejected", async () => {
  const rest = new Rest(node.rest, watchedWorld());
  const key = await keyOf("alice");
  const account = await rest.authorized<{ readonly accountType: string }>("GET", "/api/v3/account", key);
  assert.equal(account.accountType, "SPOT");
  const odd = await refused(rest.authorized("GET", "/api/v3/openOrders", key, { symbol: "a b&c=ä+%" }));
  assert.equal(odd.code, -1100);
  const { apiKey } = key;
  const forged = await refused(rest.authorized("GET", "/api/v3/account", await signingKey(apiKey, "another")));
  assert.equal(forged.code, -1022);
});

test("signed requests work on a machine whose clock is an hour off or jumps", async () => {
  const world = { ...watchedWorld() };
  let errorMs = 3_600_000;
  world.nowMs = () => Date.now() + errorMs;
  const rest = new Rest(node.rest, world);
  const key = await keyOf("bob");
  await rest.authorized("GET", "/api/v3/account", key);
  assert.ok(Math.abs((rest.clock.offsetMs.value ?? 0) + errorMs) < 2000);
  errorMs = -7_200_000;
  await rest.authorized("GET", "/api/v3/account", key);
  assert.ok(Math.abs((rest.clock.offsetMs.value ?? 0) + errorMs) < 2000);
});

test("untilDone retries at growing intervals", async () => {
  const delays: number[] = [];
  const world = { ...watchedWorld(), random: () => 0.5 };
  world.after = (delayMs, run) => {
    delays.push(delayMs);
    if (delays.length < 8) queueMicrotask(run);
    return () => {};
  };
  let count = 0;
  const stop = untilDone(world, () => {
    count++;
    return Promise.reject(new Refused("no", { code: -1, isUnknown: false, retryAfterMs: count === 3 ? 60_000 : 0 }));
  });
  await new Promise((done) => setTimeout(done, 20));
  stop();
  assert.equal(count, 8);
  assert.deepEqual(delays, [750, 1500, 60_000, 6000, 12_000, 22_500, 22_500, 22_500]);
});

// This test is last, because it uses up the address's limit of the minute.
test("above the limit, no request is sent until the time that the node sent, and the page shows it", async () => {
  const world = watchedWorld();
  const rest = new Rest(node.rest, world);
  let last: Refused | null = null;
  for (let i = 0; i < 200 && rest.blockedUntilMs.value === null; i++) {
    await rest.get("/api/v3/ticker/24hr").catch((error: unknown) => (last = error as Refused));
  }
  assert.equal((last as Refused | null)?.status, 429);
  const untilMs = rest.blockedUntilMs.value;
  assert.ok(untilMs !== null && untilMs > Date.now() && untilMs <= Date.now() + 60_000);
  const asked = world.requests.length;
  const next = await refused(rest.get("/api/v3/ping"));
  assert.deepEqual([next.code, next.isUnknown, world.requests.length], [-1003, false, asked]);
});
