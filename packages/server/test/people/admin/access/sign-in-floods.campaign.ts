/** Operators can sign in while others guess passwords from the same address. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { SignInWork } from "@pricetime/protocol";
import { solved } from "@pricetime/testkit/sign-in-work";
import { until } from "@pricetime/testkit/waiting";
import { GUESS_LIMITS, HASH_COST } from "../../../../src/people/sign-in/limits.ts";
import { type Reply, TOKEN } from "../running.ts";
import { callWith, Operators, passwordOf, wanted } from "./operators.ts";

const LOOPS = 6;
/** Short enough for a test. */
const LITTLE_WORK = { ...GUESS_LIMITS, firstWorkBits: 3, mostWorkBits: 7, mostWorkBitsAtSharedAddress: 9 };

let operators: Operators;
let over: AbortController;
let guessers: Promise<void>[];
/** Error codes that the guessers got. */
let told: Set<unknown>;

beforeEach(async () => {
  operators = await Operators.open({ guessLimits: LITTLE_WORK, hashCost: HASH_COST });
  [over, guessers, told] = [new AbortController(), [], new Set()];
});
afterEach(async () => {
  over.abort();
  await Promise.all(guessers);
  await operators.close();
});

const signIn = (name: string, more: object = {}): Promise<Reply> =>
  operators.stranger("POST", "/v1/sign-in", { name, password: passwordOf(name), ...more });

/** Some guess an operator's password, others keep the node hashing for unknown names. */
async function guess(loop: number): Promise<void> {
  for (let i = 0; !over.signal.aborted; i++) {
    const name = loop % 2 === 0 ? "sue" : `nobody-${loop}-${i}`;
    told.add((await signIn(name, { password: "not the one it is" })).body["error"]);
  }
}

async function attack(loops = LOOPS): Promise<void> {
  guessers = Array.from({ length: loops }, (_, loop) => guess(loop));
  await until("guesses at her name make everybody wait", () => told.has("TOO_MANY_TRIES"));
}

test("a known browser, a session and the admin token are always accepted during floods", async () => {
  await operators.invite("sue", "support");
  const { mark, token } = await wanted(signIn("sue"), 200);
  // More than one address may have in progress.
  await attack(3 * LOOPS);
  await until("hashes wait", () => told.has("BUSY"));
  for (let i = 0; i < 5; i++) await wanted(signIn("sue", { mark }), 200);
  const said = { name: "sue", password: passwordOf("sue") };
  await wanted(callWith(operators.url, TOKEN, ["POST", "/v1/sign-in", said]), 200);
  const change = { password: passwordOf("sue"), newPassword: "another horse battery" };
  await wanted(callWith(operators.url, String(token), ["POST", "/v1/me/password", change]), 200);
});

test("an operator's first sign-in succeeds by the invitation's mark or by proof of work", async () => {
  await operators.invite("sue", "support");
  await attack();
  const made = { name: "carol", email: "carol@example.com", role: "support" };
  await operators.venue.wanted(201, "POST", "/v1/operators", made);
  const { invitationId } = await operators.venue.wanted(201, "POST", "/v1/operators/carol/invitation");
  const id = String(invitationId);
  const chosen = { id, secret: operators.linkSecret(id), password: passwordOf("carol") };
  const { mark } = await wanted(operators.stranger("POST", "/v1/accept-invitation", chosen), 200);
  await wanted(signIn("carol", { mark }), 200);
  const seen: number[] = [];
  for (let i = 0; i < 5; i++) {
    let steps = 1;
    let reply = await signIn("sue");
    for (; reply.status !== 200 && steps < 20; steps++) {
      const work = reply.body["work"] as SignInWork | undefined;
      assert.ok(work !== undefined, JSON.stringify(reply.body));
      reply = await signIn("sue", { work: solved(work) });
    }
    await wanted(Promise.resolve(reply), 200);
    seen.push(steps);
  }
  assert.ok(Math.max(...seen) <= 8, seen.join(" "));
});
