/** Random steps: mostly commands of all types, close together, with occasional faults. */
import { ADOPT_NEWEST_RULES, type Command, type InterfaceName } from "@pricetime/engine";
import { ACCESS_MAKERS, BY, makeWorld, randomCommand, VENUE_MAKERS, type World } from "@pricetime/testkit/workload";
import type { Dice } from "@pricetime/testkit/dice";
import type { Auditor } from "../audit/auditor.ts";
import { SANDBOX } from "../outside/network.ts";
import { LINKS } from "../audit/notices.ts";
import { apiKeyOf, secretOf } from "../world/request.ts";
import { realHash } from "../world/tokens.ts";
import type { Act, RunOptions, Step } from "./step.ts";

const HOUR_MS = 3_600_000;
/** In addition to the operator actions among all commands. */
const OPERATORS_ACT_ONCE_IN = 8;
const SOMEBODY_SIGNS_IN_ONCE_IN = 8;
/** Links whose secrets are in no email, such as an invitation with another master key. */
const STRANGE_LINK_ONCE_IN = 12;
/** Some within the accepted range, some large jumps. */
const JUMPS_MS = [-HOUR_MS, -5_000, -50, 700, 9_000, 60_000, 2 * HOUR_MS, 365 * 24 * HOUR_MS];

const OPENING_OF_TODAY: readonly Command[] = [
  ADOPT_NEWEST_RULES,
  { type: "setInterface", by: BY, interface: "today" },
  {
    ...{ type: "setOrderLimits", by: BY, fillCredits: { taker: 1, maker: 5 } },
    rules: [10_000, HOUR_MS].map((windowMs) => ({ windowMs, limit: 1_000 })),
  },
];

/**
 * The interface of the run's nodes: today's for one in so many seeds. A single node's steps decide it, if there are any, so that stored runs stay equal.
 * In a cluster, it is not set by a step.
 */
export function interfaceOf(
  { seed, steps }: Pick<RunOptions<{ readonly act: object }, never>, "seed" | "steps">,
  every = 3,
) {
  const isSet = steps?.some(({ act }) => "command" in act && (act.command as Command).type === "setInterface");
  return (isSet ?? seed % every === 0) ? "today" : "2019";
}

/** The state of the exchange that clients can know. */
type Known = Pick<Auditor, "model" | "keys">;

export class Workload {
  readonly opening: readonly Step[];
  readonly world: World;
  readonly #dice: Dice;
  /** Whether the nodes send emails themselves. */
  readonly #isMailed: boolean;
  /** Faults per hundred steps. */
  readonly #troubles: number;
  /** A command sent at the same time as the previous one, by a client that does not know of it. */
  #rival: Command | undefined;

  constructor(dice: Dice, { isMailed, name = "2019" }: { readonly isMailed: boolean; readonly name?: InterfaceName }) {
    this.#dice = dice;
    this.#isMailed = isMailed;
    this.world = makeWorld(dice);
    this.#troubles = dice.pick([0, 2, 4, 8]);
    const keys = this.world.accountIds.map(keyFor);
    // Recorded candles suffice: generating some takes a third of the run time of a history.
    const opening = this.world.opening.filter(({ type }) => type !== "addPast");
    // After the accounts, because those of a venue with earlier rules may share an email address.
    const today = name === "today" ? OPENING_OF_TODAY : [];
    this.opening = [...opening, ...today, ...keys].map((command) => ({
      afterMs: 10,
      act: { type: "command", command: withRealHashes(command), via: "inside" },
    }));
  }

  next(auditor: Auditor): Step {
    const dice = this.#dice;
    const rival = this.#rival;
    this.#rival = undefined;
    if (rival !== undefined) return { afterMs: 0, act: { type: "command", command: rival, via: "inside" } };
    const afterMs = dice.weighted([
      [50, 0],
      [30, dice.below(4)],
      [15, dice.below(40)],
      [4, dice.below(2_000)],
      [1, dice.below(200_000)],
    ]);
    if (dice.below(100) < this.#troubles) return { afterMs, act: this.#trouble() };
    if (dice.oneIn(10)) {
      const accountId = dice.pick(this.world.accountIds);
      return { afterMs, act: { type: "read", accountId, orderId: dice.between(1, auditor.model.lastOrderId + 1) } };
    }
    const { sessions } = auditor.model.access;
    if (this.#isMailed && sessions.length > 0 && dice.oneIn(30)) {
      return { afterMs, act: { type: "showCookie", sessionId: dice.pick(sessions).sessionId, isOld: dice.oneIn(4) } };
    }
    const via = dice.oneIn(5) ? "inside" : "client";
    const command = this.command(auditor);
    if (dice.oneIn(2)) this.#rival = rivalOf(command);
    return { afterMs, act: { type: "command", command, via } };
  }

  /** A random command of any type. */
  command(auditor: Known): Command {
    const dice = this.#dice;
    const keyless = this.world.accountIds.find((accountId) => !auditor.keys.apiKeys.has(apiKeyOf(accountId)));
    if (keyless !== undefined && dice.oneIn(12)) return keyFor(keyless);
    const command = this.#make(auditor);
    switch (command.type) {
      case "changeNotice":
        return this.#isMailed ? this.command(auditor) : command;
      case "invite":
        return { ...command, secretHash: this.#linkHash("invitation", command.invitationId, command.secretHash) };
      case "askRecovery":
        return { ...command, secretHash: this.#linkHash("recovery", command.recoveryId, command.secretHash) };
      case "openSession":
      case "renewSession":
        return withRealHashes(command);
      case "tick":
        // The exchange ticks on its own.
        return this.command(auditor);
      case "seeDeposit":
      case "creditDeposit":
      case "finishDeposit":
      case "dropDeposit":
        // Deposits on the simulated chain are reported by the node's own watcher.
        return command.network === SANDBOX ? this.command(auditor) : command;
      case "confirmWithdrawal":
      case "cancelWithdrawal":
      case "approveWithdrawal":
      case "rejectWithdrawal":
      case "signWithdrawal":
      case "completeWithdrawal":
      case "failWithdrawal":
      case "failSignedWithdrawal":
      case "changeLetter":
        return this.#isOnChain(command.withdrawalId, auditor) ? this.command(auditor) : command;
      case "createApiKey":
      case "deleteApiKey":
        return { ...command, apiKey: command.apiKey.padEnd(64, "Z") };
      case "openListenKey":
        return { ...command, listenKey: command.listenKey.padEnd(64, "L") };
      case "keepListenKey":
      case "closeListenKey": {
        const held = auditor.keys.listenKeys.get(command.accountId)?.listenKey;
        return {
          ...command,
          listenKey: this.#dice.oneIn(3) ? command.listenKey.padEnd(64, "L") : (held ?? "L".repeat(64)),
        };
      }
      default:
        return command;
    }
  }

  #make({ model }: Known): Command {
    const dice = this.#dice;
    if (dice.oneIn(OPERATORS_ACT_ONCE_IN)) return dice.weighted(VENUE_MAKERS)(dice, this.world, model);
    if (dice.oneIn(SOMEBODY_SIGNS_IN_ONCE_IN)) return dice.weighted(ACCESS_MAKERS)(dice, this.world, model);
    const command = randomCommand(dice, this.world, model);
    // The interface is a setting of the nodes, which would change it back at their next start.
    return command.type === "setInterface" ? { type: "tick" } : command;
  }

  /** Mostly the hash of a link that an email will have. */
  #linkHash(purpose: "invitation" | "recovery", id: string, other: string): string {
    return this.#dice.oneIn(STRANGE_LINK_ONCE_IN) ? other : LINKS.hashOf(LINKS.secretOf(purpose, id));
  }

  #isOnChain(withdrawalId: string, { model }: Known): boolean {
    const withdrawal = model.wallet.withdrawals.find((each) => each.withdrawalId === withdrawalId);
    return withdrawal?.network === SANDBOX;
  }

  #trouble(): Act {
    const dice = this.#dice;
    return dice.weighted<Act>([
      [20, { type: "cutAtOperation", operations: dice.below(40) }],
      [20, { type: "cutAtTurn", turns: dice.below(60) }],
      [15, { type: "kill", turns: dice.below(60), flips: dice.oneIn(2) ? 1 : 0 }],
      [8, { type: "full", forMs: dice.below(3_000) }],
      [8, { type: "failSyncs", count: dice.between(1, 3) }],
      [4, { type: "deaf", heads: dice.between(1, 6) }],
      [6, { type: "slow", forMs: dice.below(5_000), stepMs: dice.between(20, 800) }],
      [8, { type: "clock", jumpMs: dice.pick(JUMPS_MS), forMs: dice.oneIn(2) ? 0 : dice.below(60_000) }],
      [3, { type: "sleep", forMs: dice.pick([1_000, 30_000, 8 * HOUR_MS]) }],
      [5, { type: "loseHistory", toSeq: dice.below(400) }],
      [6, { type: "audit" }],
    ]);
  }
}

/** Creates the API key of an account's client. */
function keyFor(accountId: number): Command {
  return {
    ...{ type: "createApiKey", by: BY, accountId, apiKey: apiKeyOf(accountId), ipAllowList: [], label: "" },
    sealedSecret: [...secretOf(accountId)].reverse().join(""),
    permissions: ["MARKET_DATA", "USER_STREAM", "TRADE", "USER_DATA"],
  };
}

function withRealHashes(command: Command): Command {
  if (command.type === "openSession") return { ...command, secretHash: realHash(command.secretHash) };
  if (command.type !== "renewSession") return command;
  return {
    ...command,
    secretHash: realHash(command.secretHash),
    newSecretHash: realHash(command.newSecretHash),
  };
}

/**
 * Conflicting commands: an operator fails a withdrawal while the sender signs it, and the reverse; a code of a replaced
 * secret; two setups of an account's 2FA codes at once; an approval while the request is edited.
 */
function rivalOf(command: Command): Command | undefined {
  switch (command.type) {
    case "signWithdrawal":
      return { type: "failWithdrawal", withdrawalId: command.withdrawalId, why: "takes long" };
    case "failWithdrawal":
      return { type: "signWithdrawal", withdrawalId: command.withdrawalId, txId: "rival", nonce: 0, signedTx: "raw" };
    case "requestWithdrawal": {
      if (command.totpStep === null) return undefined;
      const withdrawalId = command.withdrawalId.replace(/^0/, "f");
      return {
        ...command,
        withdrawalId,
        withdrawOrderId: "",
        // The auditor distinguishes payments by their address.
        address: `${command.address}r`,
        totpStep: command.totpStep + 1,
        totpSecret: "of another",
      };
    }
    case "openSession":
      // The same code again, from another client.
      return command.totpStep === null
        ? undefined
        : { ...command, sessionId: command.sessionId.replace(/^0/, "f"), ip: "" };
    case "acceptInvitation":
      return { ...command, sealedPassword: "of another" };
    case "setPassword":
      return { ...command, sealedPassword: "of another" };
    case "setTotp":
      return command.sealedSecret === null ? undefined : { ...command, sealedSecret: "of another" };
    case "changeProposal": {
      const { proposalId, version } = command;
      return { type: "approveProposal", by: "operator:tom", proposalId, version };
    }
    default:
      return undefined;
  }
}
