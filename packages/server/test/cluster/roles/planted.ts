/** Bugs that the tests of tasks must find. */
import type { Command, Engine } from "@pricetime/engine";
import type { TaskPart, TaskGrant } from "../../../src/cluster/tasks.ts";
import type { Outcome } from "../../../src/journal/sequencer/port.ts";
import type { Chain } from "../../../src/funds/wallet/chain.ts";

/** As if the engine did not check fencing tokens. */
export function actsUnchecked(engine: Engine): void {
  const apply = engine.apply.bind(engine);
  engine.apply = (entry) => {
    const { command } = entry;
    if (command.type !== "asHolder") return apply(entry);
    const number = engine.nodes.role(command.role)?.number ?? 0;
    return apply({ ...entry, command: { ...command, number } });
  };
}

/** As if the engine did not compare a grant with the previous one. */
export function grantsUncompared(engine: Engine): void {
  const apply = engine.apply.bind(engine);
  engine.apply = (entry) => {
    if (entry.command.type === "grantRole") uncompare(engine, entry.command);
    return apply(entry);
  };
}

function uncompare(engine: Engine, { role, after }: Command<"grantRole">): void {
  const last = engine.nodes.role(role);
  if (last !== undefined) engine.state.nodes.putRole({ ...last, number: after });
}

/** An email is sent before it is claimed in the journal. */
export function claimsAfterSending(part: TaskPart): TaskPart {
  if (part.role !== "mail") return part;
  return {
    role: part.role,
    start: (tenure) => part.start(late(tenure)),
    stop: () => part.stop(),
  };
}

function late(tenure: TaskGrant): TaskGrant {
  const run = async (command: Command): Promise<Outcome> => {
    if (command.type !== "changeLetter") return tenure.run(command);
    if (command.to === "claimed") return { seq: 0, timeMs: 0, events: [] };
    await tenure.run({ ...command, from: "waiting", to: "claimed" });
    return tenure.run(command);
  };
  return Object.create(tenure, { run: { value: run }, isHeld: { get: () => tenure.isHeld } }) as TaskGrant;
}

/** A payment is sent as soon as it is signed, before it is journaled. */
export function paysBeforeJournaling(chain: Chain): Chain {
  const sign: Chain["sign"] = async (payment, ahead) => {
    const signed = await chain.sign(payment, ahead);
    await chain.broadcast(signed.signedTx);
    return signed;
  };
  return { ...chain, sign };
}
