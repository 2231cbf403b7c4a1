/** Opens the accounts that the demo needs, with the same journaled commands that an operator would use. */
import { DAY_MS, type EngineView, type Event, type OperatorCommand, type Permission } from "@pricetime/engine";
import { sameSecret } from "../../platform/secrets/api-keys.ts";
import type { Sealer } from "../../platform/secrets/seal.ts";
import type { Sequencer } from "../../journal/sequencer/port.ts";
import type { World } from "../../platform/world/port.ts";

/** The author of these commands in the journal. */
export const BY = "demo";

export interface DemoNode {
  readonly view: EngineView;
  readonly sequencer: Sequencer;
  readonly sealer: Sealer;
  readonly world: World;
}

/** The parts of a node that are needed to open and fund an account. */
export type OperatorNode = Pick<DemoNode, "view" | "sequencer">;

export interface WantedAccount {
  readonly email: string;
  readonly name: string;
  readonly makerBps: number;
  readonly takerBps: number;
  /** The master account if this is a sub-account. */
  readonly masterId?: number;
  /** The amounts to deposit, as decimals by asset. */
  readonly grants: ReadonlyMap<string, string>;
}

type Command = OperatorCommand extends infer C ? (C extends { readonly by: string } ? Omit<C, "by"> : never) : never;

/** Performs an operator action. Throws if it is rejected. */
export async function act(
  { sequencer }: { readonly sequencer: Pick<Sequencer, "run"> },
  command: Command,
  by = BY,
): Promise<readonly Event[]> {
  const { events } = await sequencer.run({ ...command, by });
  const first = events[0];
  if (first?.type === "rejected") throw new Error(`the ${by}'s ${command.type} was refused: ${first.reason}`);
  return events;
}

/** Opens and funds the account unless this was done before. Returns its id. */
export async function ensureAccount(node: OperatorNode, wanted: WantedAccount): Promise<number> {
  const { grants, ...fields } = wanted;
  const { email } = fields;
  const known = node.view.accountByEmail(email)?.accountId;
  const accountId = known ?? (await openAccount(node, fields));
  await Promise.all([...grants].map(([asset, amount]) => grant(node, accountId, email, asset, amount)));
  return accountId;
}

async function openAccount(node: OperatorNode, fields: Omit<WantedAccount, "grants">): Promise<number> {
  const events = await act(node, { type: "openAccount", ...fields });
  for (const event of events) if (event.type === "accountOpened") return event.accountId;
  throw new Error("an account was opened without saying so");
}

/**
 * Deposits a grant unless the account owns some of the asset, because it has then received it before. A restart
 * therefore journals nothing.
 */
export async function grant(
  node: OperatorNode,
  accountId: number,
  holder: string,
  asset: string,
  amount: string,
): Promise<void> {
  const listed = node.view.assets().find(({ spec }) => spec.asset === asset);
  if (listed === undefined) return;
  const { free, locked } = node.view.balance(accountId, listed.assetId);
  if (free + locked > 0n) return;
  const reference = `demo ${holder} ${asset}`;
  const { events } = await node.sequencer.run({ type: "deposit", accountId, asset, amount, reference, by: BY });
  const first = events[0];
  // The account has already received its grant and spent it.
  if (first?.type === "rejected" && first.reason !== "ALREADY_EXISTS") {
    throw new Error(`the demo's deposit of ${asset} was refused: ${first.reason}`);
  }
}

export interface WantedKey {
  readonly accountId: number;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly permissions: readonly Permission[];
}

/** Creates the key unless it exists with the same secret. */
export async function ensureKey(node: DemoNode, wanted: WantedKey): Promise<void> {
  const { accountId, apiKey, secretKey, permissions } = wanted;
  const known = node.view.apiKey(apiKey);
  if (known !== undefined) {
    if (sameSecret(opensTo(node, known.sealedSecret) ?? "", secretKey)) return;
    await act(node, { type: "deleteApiKey", apiKey });
  }
  const sealedSecret = node.sealer.seal(secretKey);
  await act(node, {
    type: "createApiKey",
    accountId,
    apiKey,
    sealedSecret,
    permissions,
    ipAllowList: [],
    label: "demo",
  });
}

/** Decrypts a secret. Returns undefined if it was encrypted with another master key. */
export function opensTo(node: DemoNode, sealedSecret: string): string | undefined {
  try {
    return node.sealer.unseal(sealedSecret);
  } catch {
    return undefined;
  }
}

export interface WantedPassword {
  readonly accountId: number;
  readonly email: string;
  /** The password hash in the format of `argon2id.ts`. */
  readonly passwordHash: string;
}

/**
 * Sets the password for the account pages. This requires an invitation; its secret hash is random, so no email with a
 * matching secret is possible, and none is sent.
 */
export async function setPassword(node: DemoNode, { accountId, email, passwordHash }: WantedPassword): Promise<void> {
  const { sequencer, world, sealer } = node;
  const invitationId = world.randomBytes(16).toString("hex");
  const secretHash = world.randomBytes(32).toString("hex");
  const untilMs = sequencer.nowMs() + DAY_MS;
  const invited = { email, holder: `account:${accountId}`, opens: null, untilMs };
  for (const command of [
    { type: "invite", invitationId, secretHash, ...invited, by: BY },
    { type: "acceptInvitation", invitationId, secretHash, sealedPassword: sealer.seal(passwordHash) },
  ] as const) {
    const { events } = await sequencer.run(command);
    const first = events[0];
    if (first?.type === "rejected") throw new Error(`the demo's ${command.type} was rejected: ${first.reason}`);
  }
}

/**
 * Returns the hash of the account's password; undefined if it has none, or if it was encrypted with another master key.
 */
export function passwordHashOf(node: DemoNode, accountId: number): string | undefined {
  const known = node.view.access.sealedPassword(`account:${accountId}`);
  return known === undefined ? undefined : opensTo(node, known);
}

export async function deleteKey(node: DemoNode, apiKey: string): Promise<void> {
  await act(node, { type: "deleteApiKey", apiKey });
}

/** The suffix of the email addresses of all bots and agents. */
export const BOT_ADDRESSES = "@bots.pricetime";
