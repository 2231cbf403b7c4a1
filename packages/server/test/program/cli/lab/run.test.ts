/** `lab run` runs an ordinary bot on the lab's clock and returns its exit code. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runProgram } from "../../../../src/program/cli/program.ts";
import { startLab } from "../../../lab/checkpoints/running-lab.ts";

/** Waits by the exchange's time; its exit code tells whether its environment is complete. */
const BOT = `
const { EXCHANGE, PRICETIME_REST, API_KEY, PRICETIME_API_KEY, EXPECTED } = process.env;
const now = async () => (await (await fetch(EXCHANGE + "/api/v3/time")).json()).serverTime;
const endMs = await now() + 60_000;
while (await now() < endMs) await new Promise((next) => setTimeout(next, 30));
process.exit(EXCHANGE === PRICETIME_REST && API_KEY === EXPECTED && PRICETIME_API_KEY === EXPECTED ? 7 : 8);
`;

async function run(
  words: readonly string[],
  environment: Record<string, string>,
): Promise<[code: number, err: string]> {
  const err: string[] = [];
  const terminal = { print: () => {}, complain: (text: string) => void err.push(text), serve: async () => 0 };
  const code = await runProgram(["lab", "run", ...words], { ...terminal, environment });
  return [code, err.join("\n")];
}

test("a bot waits a minute of lab time, and its exit code is returned", async (t) => {
  const lab = await startLab(t);
  const beginMs = (await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock")).nowMs;
  const bot = ["--", process.execPath, "--input-type=module", "--eval", BOT];
  const [, second] = lab.accounts;
  const environment = { PRICETIME_DATA: lab.folder, EXPECTED: second?.apiKey ?? "" };
  const told = await run(["--quiet", "5ms", "--step", "20s", "--account", "bob", ...bot], environment);
  assert.deepEqual(told, [7, "pricetime: The bot exited with code 7."]);
  const { nowMs } = await lab.ask<{ nowMs: number }>("GET", "/v1/lab/clock");
  assert.ok(nowMs >= beginMs + 60_000, `${nowMs - beginMs} ms`);
  assert.deepEqual(await lab.ask("GET", "/v1/lab/clock/clients"), []);

  const never = ["--", process.execPath, "--eval", "process.exit(9)"];
  assert.deepEqual(await run(["--account", "mallory", ...never], environment), [
    1,
    "pricetime: The demo has no account mallory. Use one of alice, bob, carol.",
  ]);
  assert.deepEqual(await run(["--", "/no/such/bot"], environment), [1, "pricetime: /no/such/bot: ENOENT"]);
  assert.deepEqual(await lab.ask("GET", "/v1/lab/clock/clients"), []);
  await lab.ask("POST", "/v1/lab/clock", { mode: "real" });
  const [code, error] = await run(never, environment);
  assert.deepEqual([code, error], [1, "pricetime: The clock runs on its own: set its mode to manual first."]);
});
