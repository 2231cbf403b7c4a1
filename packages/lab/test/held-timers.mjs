/** Run under the preload: what Node's timers, dates and dice can do, by the lab's clock. Prints what failed. */
import assert from "node:assert/strict";
import crypto from "node:crypto";
import timers from "node:timers";
import { scheduler, setInterval as every, setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";

const start = Date.now();
const past = () => Date.now() - start;

// Dates.
assert.equal(new Date().getTime(), start);
assert.equal(new Date(5).getTime(), 5);
assert.equal(new Date(2020, 0, 1).getFullYear(), 2020);
assert.equal(Date(), new Date().toString());
assert.ok(new Date() instanceof Date);
assert.equal(new Date().constructor, Date);
assert.equal(Object.prototype.toString.call(new Date()), "[object Date]");
class Sub extends Date {}
assert.equal(new Sub().getTime(), start);
assert.equal(Date.UTC(1970, 0, 1, 0, 0, 1), 1000);
assert.equal(performance.now(), 0);
assert.deepEqual(process.hrtime(), [0, 0]);

// Order: of time, then of setting; what is due now comes after immediates and promises.
const order = [];
setTimeout(() => order.push("20"), 20);
setTimeout((...args) => order.push(`10 ${args.join()}`), 10, "a", "b");
setTimeout(() => order.push("10 again"), 10);
setTimeout(() => order.push("0"), 0);
setImmediate((word) => order.push(word), "immediate");
clearImmediate(setImmediate(() => order.push("never")));
queueMicrotask(() => order.push("microtask"));
process.nextTick(() => order.push("tick"));
clearTimeout(setTimeout(() => order.push("never"), 5));
clearTimeout(Number(setTimeout(() => order.push("never"), 5)));
clearTimeout(undefined);
clearTimeout(12345678);
timers.setTimeout(() => order.push("15"), 15);
await sleep(30);
assert.deepEqual(order.slice(2), ["immediate", "0", "10 a,b", "10 again", "15", "20"]);
assert.equal(past(), 30);
assert.equal(performance.now(), 30);
assert.deepEqual(process.hrtime([0, 10_000_000]), [0, 20_000_000]);
assert.equal(process.hrtime.bigint(), 30_000_000n);
assert.equal(process.uptime(), 0.03);

// What a promise of a timer starts runs before the next timer of the same moment.
const turns = [];
setTimeout(() => {
  turns.push("first");
  void Promise.resolve().then(() => turns.push("its promise"));
  process.nextTick(() => turns.push("its tick"));
}, 1);
setTimeout(() => turns.push("second"), 1);
await sleep(2);
assert.deepEqual(turns, ["first", "its tick", "its promise", "second"]);

// Intervals, refresh, the handle.
const ticks = [];
const interval = setInterval((word) => ticks.push([word, past()]), 100, "tick");
const refreshed = setTimeout(() => ticks.push(["refreshed", past()]), 150);
await sleep(120);
assert.equal(refreshed.refresh(), refreshed);
await sleep(200);
clearInterval(interval);
await sleep(200);
assert.deepEqual(ticks, [["tick", 132], ["tick", 232], ["refreshed", 302], ["tick", 332]]);
const unref = setTimeout(() => {}, 10);
assert.equal(unref.hasRef(), true);
assert.equal(unref.unref().hasRef(), false);
assert.equal(unref.ref().hasRef(), true);
unref.close();
assert.throws(() => Reflect.apply(setTimeout, globalThis, ["code"]), TypeError);

// Promises of timers.
const before = past();
assert.equal(await promisify(setTimeout)(40, "value"), "value");
await scheduler.wait(10);
await scheduler.yield();
let rounds = 0;
for await (const value of every(50, "round")) if (value === "round" && ++rounds === 3) break;
assert.equal(past() - before, 200);
const controller = new AbortController();
setTimeout(() => controller.abort(), 10);
await assert.rejects(sleep(1000, null, { signal: controller.signal }), { name: "AbortError" });
await assert.rejects(sleep(1000, null, { signal: AbortSignal.abort() }), { name: "AbortError" });
assert.equal(past() - before, 210);
// Node does not wait for it either.
const awake = setTimeout(() => {}, 1000);
const timeout = AbortSignal.timeout(25);
await new Promise((done) => timeout.addEventListener("abort", done));
clearTimeout(awake);
assert.equal(timeout.reason.name, "TimeoutError");
assert.equal(past() - before, 235);

// Work of other threads is waited for: the clock stands.
const unpacked = await promisify(gunzip)(gzipSync(Buffer.alloc(3_000_000)));
assert.equal(unpacked.length, 3_000_000);
await crypto.subtle.digest("SHA-256", new Uint8Array(3_000_000));
assert.equal(past() - before, 235);

// Dice: by every way that there is.
const draws = [
  Math.random(),
  crypto.randomBytes(8).toString("hex"),
  (await promisify(crypto.randomBytes)(4)).toString("hex"),
  crypto.randomUUID(),
  globalThis.crypto.randomUUID(),
  crypto.randomInt(5, 10),
  crypto.randomInt(1000),
  await promisify(crypto.randomInt)(1000),
  Buffer.from(globalThis.crypto.getRandomValues(new Uint16Array(4)).buffer).toString("hex"),
  Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString("hex"),
  Buffer.from(crypto.webcrypto.getRandomValues(new Uint8Array(4))).toString("hex"),
  crypto.randomFillSync(Buffer.alloc(6), 2, 3).toString("hex"),
  (await promisify(crypto.randomFill)(Buffer.alloc(4))).toString("hex"),
];
assert.match(draws[3], /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
assert.ok(draws[5] >= 5 && draws[5] < 10);
assert.match(draws[11], /^0000[0-9a-f]{6}00$/);
assert.throws(() => crypto.randomInt(3, 3), RangeError);
console.log(JSON.stringify(draws));

// The end: nothing waits for a timer without ref.
setTimeout(() => console.log("never"), 50).unref();
process.once("exit", () => console.log("ended at", past() - before));
