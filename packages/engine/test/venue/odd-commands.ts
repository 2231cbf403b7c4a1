/** Sign-in and venue commands, valid and odd, with few ids and names, so that they collide. */
import fc from "fast-check";
import {
  type Command,
  type CommandType,
  HOUSE_ACCOUNTS,
  LARGEST,
  LETTER_STATUSES,
  OPERATOR_ROLES,
} from "@pricetime/engine";
import { SAMPLES } from "@pricetime/testkit/samples";

const HASHES = ["0123456789abcdef".repeat(4), "fedcba9876543210".repeat(4)] as const;
const OPERATORS = ["carol", "dave", "eve", "frank"] as const;
const FAR_MS = Date.UTC(2100, 0);

const id = fc.constantFrom(...[1, 2, 3].map((number) => String(number).padStart(32, "0")));
const hash = fc.constantFrom(HASHES[0], HASHES[0], HASHES[0], HASHES[1]);
const signed = OPERATORS.map((name) => `operator:${name}`);
const holder = fc.constantFrom("account:100", "account:100", "account:101", ...signed, "account:5");
const by = fc.constantFrom("admin", "admin", "account:100", "account:101", ...signed, "operator:", "__proto__");
const farMs = fc.constantFrom(0, FAR_MS, FAR_MS + 1000, FAR_MS + 1_000_000, LARGEST);
/** Most of them are later than most commands, and ends are later than starts. */
const fromMs = fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 20_000_000 }) }, farMs);
const untilMs = fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 20_000_000, max: 30_000_000 }) }, farMs);
const orNull = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: some }, fc.constant(null));
const word = fc.constantFrom("a", "b", "", "x".repeat(3000));
const reason = fc.constantFrom("fire", "fire", "");

/** The values of each field, in any command. */
const FIELDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  by,
  holder: orNull(holder),
  invitationId: id,
  sessionId: id,
  recoveryId: id,
  proposalId: id,
  secretHash: hash,
  newSecretHash: hash,
  root: hash,
  sealedPassword: fc.constantFrom("p1", "p1", "p2"),
  was: fc.constantFrom("p1", "p1", "p2"),
  except: orNull(id),
  untilMs: fc.oneof({ weight: 9, arbitrary: untilMs }, fc.constant(null)),
  fromMs,
  totpStep: orNull(fc.nat({ max: 3 })),
  totpSecret: fc.constantFrom("s1", "s2"),
  sealedSecret: orNull(fc.constantFrom("s1", "s2")),
  noticeId: fc.nat({ max: 12 }),
  from: fc.constantFrom(...LETTER_STATUSES),
  to: fc.constantFrom(...LETTER_STATUSES),
  scope: fc.constantFrom("trading", "placing", "withdrawals", "coin:BTC", "coin:NONE", "network:ETH", "none"),
  why: reason,
  text: reason,
  accountId: fc.constantFrom(100, 100, 101, 5),
  toAccountId: fc.constantFrom(100, null, 5),
  asset: fc.constantFrom("BTC", "USDT", "NONE", null),
  amount: fc.constantFrom("1", "0.5", "99999999999999999999", "0", "x", null),
  direction: fc.constantFrom("credit", "debit"),
  house: fc.constantFrom(...HOUSE_ACCOUNTS),
  reference: fc.constantFrom("r1", "r2", "r3", ""),
  network: fc.constantFrom("ETH", "BTC"),
  output: fc.nat({ max: 2 }),
  how: fc.constantFrom("credit", "keep", "dismiss"),
  name: fc.constantFrom(...OPERATORS, "greta"),
  email: fc.constantFrom("100", "101", "c@x", "new@x", "n2@x"),
  role: fc.constantFrom(...OPERATOR_ROLES),
  isEnabled: fc.boolean(),
  version: fc.nat({ max: 3 }),
  seq: fc.nat({ max: 30 }),
  ip: word,
  client: word,
  rules: fc.record({
    approvals: fc.integer({ min: 1, max: 2 }),
    withdrawalsAbove: fc.constantFrom([], [], [{ asset: "BTC", amount: "1" }]),
    acts: fc.constantFrom([], [], ["deposit"], ["setStop", "nonsense"]),
  }),
};

const TYPES = [
  ...["invite", "revokeInvitation", "acceptInvitation", "setPassword", "openSession", "renewSession", "closeSession"],
  ...["closeSessions", "askRecovery", "cancelRecovery", "recover", "freezeAccount", "tellAlreadyKnown", "changeNotice"],
  ...["setStop", "liftStop", "adjust", "noteAccount", "noteUnknownDeposit", "settleUnknownDeposit", "openOperator"],
  ...["changeOperator", "setOperatorTotp", "setApprovalRules", "propose", "changeProposal", "approveProposal"],
  ...["rejectProposal", "breakGlass", "stopBreakGlass", "publishProof"],
  ...["endOrder", "endAccountOrders", "endSymbolOrders", "setDelisting"],
] as readonly CommandType[];
const samples: readonly Command[] = TYPES.flatMap((type): readonly Command[] => SAMPLES[type]);

function soundOf(sample: Command): fc.Arbitrary<Command> {
  const chosen = Object.entries(sample).map(([key, value]) => {
    const isText = key === "type" || (key === "name" && sample.type === "publishProof");
    const field = isText ? undefined : FIELDS[key];
    return [key, key === "act" ? act : (field ?? fc.constant(value))] as const;
  });
  return fc.record(Object.fromEntries(chosen)).map(signedAlike) as unknown as fc.Arbitrary<Command>;
}

/** The author of an approval request is the author of its action. */
function signedAlike<Fields extends object>(fields: Fields): Fields {
  if (!("act" in fields && "by" in fields && typeof fields.act === "object")) return fields;
  return { ...fields, act: { ...fields.act, by: fields.by } };
}

const act: fc.Arbitrary<unknown> = fc.constantFrom(...samples).chain((sample) => {
  return "act" in sample ? fc.constant(sample) : soundOf(sample);
});

const soundCommand = fc.constantFrom(...samples).chain(soundOf);

const operator = fc.constantFrom(...signed);
/** Actions that need dual approval, by operators with the right to them, and their approval. */
const ofTwo: fc.Arbitrary<Command> = fc.oneof(
  fc
    .record({ by: operator, proposalId: id, sound: fc.constantFrom(...SAMPLES.adjust).chain(soundOf) })
    .map(({ sound, ...fields }) => {
      const act = { ...sound, by: fields.by, accountId: 100, asset: "BTC", amount: "1" };
      return { type: "propose", ...fields, act, why: "w" } as Command;
    }),
  fc.record({ type: fc.constant("approveProposal" as const), by: operator, proposalId: id, version: fc.constant(1) }),
);
/** The customer of the opening signs in and out. */
const ofHolder: fc.Arbitrary<Command> = fc
  .constantFrom(...SAMPLES.openSession, ...SAMPLES.closeSession)
  .chain((sample) => {
    const own = { holder: "account:100", sealedPassword: "p1", totpStep: null, by: "account:100" };
    const keys = Object.keys(sample);
    const kept = Object.entries(own).filter(([key]) => keys.includes(key));
    return soundOf(sample).map((command) => ({ ...command, ...Object.fromEntries(kept) }));
  });

const anything = fc.oneof(
  fc.anything({ maxDepth: 2, withNullPrototype: false }).filter((value) => isJson(value)),
  fc.constantFrom<unknown>(
    null,
    "",
    -1,
    1.5,
    LARGEST,
    {},
    [],
    "__proto__",
    { toString: 1 },
    "x".repeat(5000),
    "\u0000",
  ),
);

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(JSON.stringify(value))) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** A valid command with any JSON value in one of its fields. */
const spoiled = fc.tuple(soundCommand, fc.nat(), anything).map(([command, place, value]) => {
  const keys = Object.keys(command).filter((key) => key !== "type");
  const key = keys[place % Math.max(1, keys.length)] ?? "extra";
  const plain: unknown = value === undefined ? null : JSON.parse(JSON.stringify(value));
  return { ...command, [key]: plain };
});

/** The times of the commands: within the first three hours, and sometimes much later. */
export const venueTime = fc.oneof({ weight: 80, arbitrary: fc.nat({ max: 10_000_000 }) }, fc.constant(FAR_MS));

export const venueCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: soundCommand },
  { weight: 2, arbitrary: ofTwo },
  { weight: 1, arbitrary: ofHolder },
  { weight: 2, arbitrary: spoiled },
);

/** Four operators, and a customer with a password. */
export const VENUE_OPENING: readonly Command[] = [
  ...OPERATORS.map((name): Command => ({ type: "openOperator", by: "admin", name, email: `${name}@x`, role: "admin" })),
  {
    ...{ type: "invite", by: "admin", invitationId: "9".repeat(32), secretHash: HASHES[0], email: "100" },
    ...{ holder: "account:100", opens: null, untilMs: 1000 },
  },
  { type: "acceptInvitation", invitationId: "9".repeat(32), secretHash: HASHES[0], sealedPassword: "p1" },
];
