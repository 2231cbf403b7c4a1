/**
 * The state of the model exchange, in plain lists that are searched linearly. The rules that change it are in the other
 * files of this folder, by subject.
 */
import {
  type Command,
  type ApprovalRules,
  type AsHolder,
  type AssetNetwork,
  type DepositStatus,
  type ExchangeFilters,
  type FillCredits,
  type InterfaceName,
  type InvitationRecord,
  isExchangeCommand,
  type LetterStatus,
  type NodeBatch,
  type NoticeRecord,
  type OperatorRole,
  type OrderLimit,
  type ProposedAct,
  type PublishedProof,
  type RecoveryRecord,
  type RejectReason,
  type SessionRecord,
  type WithdrawalLimits,
  type WithdrawalStatus,
} from "@pricetime/engine";
import { type Answer, type Happening, plainResult } from "./happening.ts";
import { type Amount, type ModelAccount, ModelMoney } from "./money.ts";
import type { ModelList, ModelOto } from "./lists.ts";
import type { ModelMarket, ModelOrder } from "./market.ts";

interface Use {
  readonly id: string;
  /** The contents of the request; null if the id was used when the rules compared only ids. */
  readonly contents: string | null;
}

class ModelUsedIds {
  readonly #uses: Use[] = [];

  /** Returns why a request with this id is rejected, or null if the id has not been used. */
  repeat(edition: number, id: string, contents: readonly unknown[]): RejectReason | null {
    const use = this.#uses.find((known) => known.id === id);
    return use === undefined ? null : comparison(edition, use.contents, contents);
  }

  add(edition: number, id: string, contents: readonly unknown[]): void {
    this.#uses.push({ id, contents: edition < 4 ? null : inWords(contents) });
  }

  remove(id: string): void {
    const at = this.#uses.findIndex((known) => known.id === id);
    if (at !== -1) this.#uses.splice(at, 1);
  }
}

/** Compares a repeated request with the original; a null `before` means that the original was not stored. */
export function comparison(edition: number, before: string | null, contents: readonly unknown[]): RejectReason {
  if (edition < 4) return "ALREADY_EXISTS";
  if (before === null) return "CONTENTS_NOT_KEPT";
  return before === inWords(contents) ? "ALREADY_EXISTS" : "REPEAT_DIFFERS";
}

export function inWords(contents: readonly unknown[]): string {
  return JSON.stringify(contents.map(String));
}

const MOST_NODES = 1000;
const MOST_ROLES = 1024;

class ModelNodes {
  readonly batches: NodeBatch[] = [];
  readonly grants: Command<"grantRole">[] = [];

  /** Returns why the batch is rejected; null if it is accepted. */
  batchRefusal(header: NodeBatch): RejectReason | null {
    const ofNode = this.batches.filter(({ node }) => node === header.node);
    const last = ofNode.at(-1);
    if (last === undefined) {
      if (new Set(this.batches.map(({ node }) => node)).size === MOST_NODES) return "TOO_MANY";
      if (header.replaces !== "") return "STALE_BATCH";
    } else if (last.incarnation === header.incarnation) {
      if (header.number <= last.number) return "STALE_BATCH";
    } else if (last.incarnation !== header.replaces) {
      return "STALE_BATCH";
    }
    return null;
  }

  begin(header: NodeBatch): Answer {
    const reason = this.batchRefusal(header);
    if (reason !== null) return reason;
    this.batches.push(header);
    return [];
  }

  grant(command: Command<"grantRole">): Answer {
    const { role, node, incarnation, after } = command;
    if (this.grants.filter((grant) => grant.role === role).length !== after) return "ROLE_TAKEN";
    if (after === 0 && new Set(this.grants.map((grant) => grant.role)).size === MOST_ROLES) return "TOO_MANY";
    this.grants.push(command);
    return [plainResult(`${role} is for ${node} ${incarnation} by grant ${after + 1}`)];
  }

  /** Returns why a task owner may not send the command; null if it may. */
  actRefusal({ role, number, command }: AsHolder): RejectReason | null {
    if (!isExchangeCommand(command)) return "INVALID_VALUE";
    const granted = this.grants.filter((grant) => grant.role === role).length;
    return granted > 0 && granted === number ? null : "ROLE_TAKEN";
  }
}

class ModelOrderLimits {
  limits: readonly OrderLimit[] = [];
  readonly #placed: { readonly accountId: number; readonly timeMs: number; readonly orders: number }[] = [];
  /** The number of orders that had already been placed when a limit was introduced, by the limit's window. */
  readonly #since = new Map<number, number>();

  #credits: FillCredits = { taker: 0, maker: 0 };

  set(limits: readonly OrderLimit[], credits: FillCredits): void {
    this.#credits = credits;
    for (const windowMs of this.#since.keys()) {
      if (limits.every((limit) => limit.windowMs !== windowMs)) this.#since.delete(windowMs);
    }
    for (const { windowMs } of limits) {
      if (!this.#since.has(windowMs)) this.#since.set(windowMs, this.#placed.length);
    }
    this.limits = limits;
  }

  count(accountId: number, orders: number, timeMs: number): void {
    this.#placed.push({ accountId, timeMs, orders });
  }

  /** The first fill of an order. */
  fill(accountId: number, role: keyof FillCredits, timeMs: number): void {
    this.#placed.push({ accountId, timeMs, orders: -this.#credits[role] });
  }

  inWindow(accountId: number, windowMs: number, nowMs: number): number {
    const since = this.#since.get(windowMs);
    if (since === undefined) return 0;
    const startMs = nowMs - (nowMs % windowMs);
    return this.#placed
      .slice(since)
      .filter((placed) => placed.accountId === accountId && placed.timeMs >= startMs)
      .reduce((sum, { orders }) => Math.max(0, sum + orders), 0);
  }
}

export interface ModelDeposit {
  readonly coin: string;
  readonly depositId: number;
  readonly network: string;
  readonly accountId: number;
  readonly asset: string;
  readonly amount: Amount;
  /** The amount that the treasury has paid while the deposit was missing from the chain. */
  owed: Amount;
  status: DepositStatus;
  readonly address: string;
  readonly tag: string;
  /** Whether the deposit ended when the rules compared only ids. */
  isIdAlone: boolean;
}

export interface ModelWithdrawal {
  readonly withdrawalId: string;
  readonly withdrawOrderId: string;
  readonly accountId: number;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly hash: string;
  readonly needsApproval: boolean;
  /** Why the withdrawal needs approval, in the format of `reasonText`. */
  readonly reasons: readonly string[];
  /** Whether the withdrawal was requested under rules version 4 or later. */
  readonly isCounted: boolean;
  /** The account's sum over 24 hours at the time of the request. */
  readonly sumAtRequest: Amount;
  readonly appliedMs: number;
  readonly signed: { txId: string; nonce: number }[];
  status: WithdrawalStatus;
  emailStatus: LetterStatus;
}

export interface ModelAddress {
  readonly accountId: number;
  readonly network: string;
  readonly address: string;
  readonly tag: string;
}

export interface ModelLimits {
  readonly asset: string;
  /** The account of the limit; null if the limit applies to the asset as a whole. */
  readonly accountId: number | null;
  readonly limits: WithdrawalLimits;
}

export interface ModelLock {
  readonly accountId: number;
  readonly fromMs: number;
  untilMs: number;
}

export interface ModelDustRules {
  readonly dustAsset: string;
  readonly chargeBps: number;
  readonly limitAsset: string;
  readonly limit: Amount;
  readonly pauseMs: number;
}

/** Deposits, withdrawals, addresses and limits. */
export class ModelWallet {
  readonly exchange: ModelState;
  readonly addresses: ModelAddress[] = [];
  readonly deposits: ModelDeposit[] = [];
  readonly withdrawals: ModelWithdrawal[] = [];
  allowed: ModelAddress[] = [];
  limits: ModelLimits[] = [];
  readonly locks: ModelLock[] = [];
  readonly costs = new ModelUsedIds();
  readonly dividends = new ModelUsedIds();
  /** Transfer ids that clients chose. */
  readonly transferIds: { masterId: number; clientTranId: string; contents: string }[] = [];
  /** Withdrawal ids that clients chose, by account. */
  readonly orderIds = new ModelUsedIds();
  /** Every accepted two-factor time step. */
  readonly totpSteps: { accountId: number; step: number }[] = [];
  readonly dustSales: { accountId: number; timeMs: number }[] = [];
  dustRules: ModelDustRules | null = null;
  isInMaintenance = false;
  tranId = 0;

  constructor(exchange: ModelState) {
    this.exchange = exchange;
  }

  /** Returns what the account can withdraw: its free balance minus deposits that a reorg could still remove. */
  withdrawable(accountId: number, asset: string): Amount {
    const held = this.deposits
      .filter((deposit) => deposit.accountId === accountId && deposit.asset === asset && deposit.status === "credited")
      .reduce((sum, { amount, owed }) => sum + amount - owed, 0n);
    const { free } = this.exchange.money.of(accountId, asset);
    return free > held ? free - held : 0n;
  }

  openWithdrawals(): ModelWithdrawal[] {
    return this.withdrawals.filter(({ status }) => ["emailSent", "awaitingApproval", "processing"].includes(status));
  }
}

export interface ModelStop {
  readonly scope: string;
  readonly why: string;
  readonly by: string;
  readonly sinceMs: number;
  /** The end of the suspension; null if it has none. */
  readonly untilMs: number | null;
}

export interface ModelOperator {
  readonly name: string;
  email: string;
  role: OperatorRole;
  isEnabled: boolean;
  /** The sealed two-factor secret; null if no codes are required. */
  totpSecret: string | null;
}

export interface ModelProposal {
  readonly proposalId: string;
  version: number;
  act: ProposedAct;
  why: string;
  /** All authors of the approval request; the last one wrote the current version. */
  authors: string[];
  approvals: string[];
  readonly untilMs: number;
}

export interface ModelUnknownCoin {
  /** The deposit's key, as in `ModelDeposit`. */
  readonly coin: string;
  /**
   * A dismissed deposit may still be attributed to a customer. A settled one, for which money was posted, cannot
   * change.
   */
  state: "open" | "dismissed" | "settled";
  /** The reported contents; null if the deposit ended under rules that compared only ids. */
  reported: string | null;
  /** The contents of the decision; null if the deposit ended under rules that compared only ids. */
  decided: string | null;
}

export const NO_RULES: ApprovalRules = { approvals: 1, withdrawalsAbove: [], acts: [] };

/** Suspensions, operators and approval requests. */
export class ModelVenue {
  readonly exchange: ModelState;
  stops: ModelStop[] = [];
  readonly operators: ModelOperator[] = [];
  rules: ApprovalRules = NO_RULES;
  /** The time at which an announced emergency override switches dual approval off; null if none is announced. */
  rulesEndMs: number | null = null;
  /** Open approval requests. */
  proposals: ModelProposal[] = [];
  /** Every unattributed deposit that was ever reported. */
  unknownCoins: ModelUnknownCoin[] = [];
  /** The approval request whose action is being executed; null if there is none. */
  carriesOut: ModelProposal | null = null;

  constructor(exchange: ModelState) {
    this.exchange = exchange;
  }

  isStopped(scope: string, nowMs = this.exchange.nowMs): boolean {
    return this.stops.some((stop) => stop.scope === scope && (stop.untilMs === null || nowMs < stop.untilMs));
  }
  stopsCoin(asset: string, network: string, nowMs = this.exchange.nowMs): boolean {
    return this.isStopped(`coin:${asset}`, nowMs) || this.isStopped(`network:${network}`, nowMs);
  }
  /** Whether withdrawals of the asset over the network are suspended. */
  stopsWithdrawing(asset: string, network: string, nowMs = this.exchange.nowMs): boolean {
    return this.isStopped("withdrawals", nowMs) || this.stopsCoin(asset, network, nowMs);
  }
}

export interface ModelPassword {
  readonly holder: string;
  readonly sealedPassword: string;
  /** The time until which withdrawals are blocked; 0 if they are not. */
  readonly heldUntilMs: number;
}

export type ModelRecovery = RecoveryRecord;

/** Passwords, sessions, invitations and emails. */
export class ModelAccess {
  readonly exchange: ModelState;
  passwords: ModelPassword[] = [];
  /** Invitations, oldest first, like all lists here. */
  invitations: InvitationRecord[] = [];
  sessions: SessionRecord[] = [];
  recoveries: ModelRecovery[] = [];
  /** Emails that are still to be sent. */
  notices: NoticeRecord[] = [];
  /** Every email that was ever queued. */
  readonly noticesEver: NoticeRecord[] = [];
  /** Every accepted time step of an operator's two-factor codes. */
  readonly operatorSteps: { readonly name: string; readonly step: number }[] = [];
  lastProof: PublishedProof | null = null;
  /** The sequence number of the current entry. */
  seq = 0;

  constructor(exchange: ModelState) {
    this.exchange = exchange;
  }

  passwordOf(holder: string): ModelPassword | undefined {
    return this.passwords.find((known) => known.holder === holder);
  }

  /** Whether the owner of the account may not withdraw yet, because the password was replaced by means of a link. */
  isHeld(accountId: number): boolean {
    const { accounts, nowMs } = this.exchange;
    const owner = accounts.get(accountId)?.masterId ?? accountId;
    return nowMs < (this.passwordOf(`account:${owner}`)?.heldUntilMs ?? 0);
  }
}

const FIRST_CUSTOMER = 100;

/** The complete state. `ModelExchange` adds the execution of commands. */
export abstract class ModelState {
  readonly assets: { asset: string; precision: number; networks: readonly AssetNetwork[] }[] = [];
  readonly markets: ModelMarket[] = [];
  readonly accounts = new Map<number, ModelAccount>();
  readonly money = new ModelMoney();
  readonly references = new ModelUsedIds();
  readonly wallet = new ModelWallet(this);
  readonly venue = new ModelVenue(this);
  readonly access = new ModelAccess(this);
  readonly nodes = new ModelNodes();
  readonly orderLimits = new ModelOrderLimits();
  /** The order lists that are still executing. */
  lists: ModelList[] = [];
  /** The order lists whose working order is not filled yet. */
  otos: ModelOto[] = [];
  exchangeFilters: ExchangeFilters = {};
  nowMs = 0;
  /** The rules version. */
  edition = 1;
  interface: InterfaceName = "2019";
  /** The discount on commission, as an operator set it; null if there is none. */
  discount: Command<"setCommissionDiscount">["discount"] = null;
  /** Whether orders are numbered by symbol. Their ids then begin at the next multiple of 2^38. */
  hasOrderIdsBySymbol = false;
  hasSharedSettings = false;
  readonly orderCounts = new Map<number, number>();
  lastOrderId = 0;
  lastOrderListId = 0;
  lastArrival = 0;

  /** Executes a command whose permission was already checked. */
  abstract carryOut(command: Command): Answer;

  /** Places the pending orders of a list whose working order was filled. */
  abstract release(market: ModelMarket, oto: ModelOto): Happening[];

  openOrders(accountId: number): ModelOrder[] {
    return this.markets
      .flatMap((market) => market.orders)
      .filter((order) => order.accountId === accountId)
      .sort((a, b) => a.orderId - b.orderId);
  }

  /** Opens an account. Returns its number. */
  newAccount(email: string, rates: { makerBps: number; takerBps: number }, masterId: number | null): number {
    const accountId = FIRST_CUSTOMER + this.accounts.size;
    this.accounts.set(accountId, {
      accountId,
      email: stored(this, email),
      makerBps: rates.makerBps,
      takerBps: rates.takerBps,
      canTrade: true,
      canWithdraw: true,
      canDeposit: true,
      masterId,
      isEnabled: true,
      isTradeGroup: false,
      paysInDiscountAsset: false,
      confirmsByMail: false,
      isListEnforced: false,
      totpSecret: null,
      overrides: new Map(),
    });
    return accountId;
  }
}

/** Returns the email address as it is stored: in lower case since rules version 4. */
export function stored({ edition }: ModelState, email: string): string {
  return edition < 4 ? email : email.toLowerCase();
}

/** Returns the other accounts with the same email address. */
export function having({ accounts, edition }: ModelState, email: string, except?: number): readonly number[] {
  const isSame = (other: string): boolean =>
    edition < 4 ? other === email : other.toLowerCase() === email.toLowerCase();
  const found = [...accounts.values()].filter((account) => isSame(account.email) && account.accountId !== except);
  return found.map(({ accountId }) => accountId);
}

/** Whether no link may be sent to the holder because another account has the same email address. */
export function sharesEmail(exchange: ModelState, holder: string): boolean {
  if (exchange.edition < 4 || !holder.startsWith("account:")) return false;
  const account = exchange.accounts.get(Number(holder.slice("account:".length)));
  return account !== undefined && having(exchange, account.email, account.accountId).length > 0;
}

/** A customer with their own account, or an operator: the holder of a password. */
export interface ModelHolder {
  readonly email: string;
  readonly isEnabled: boolean;
  readonly totpSecret: string | null;
  /** Every accepted two-factor time step. */
  readonly steps: readonly number[];
}

export function holderOf({ accounts, venue, wallet, access }: ModelState, holder: string): ModelHolder | undefined {
  const [kind, name] = [holder.slice(0, holder.indexOf(":")), holder.slice(holder.indexOf(":") + 1)];
  if (kind === "operator") {
    const operator = venue.operators.find((known) => known.name === name);
    const used = access.operatorSteps.filter((known) => known.name === name);
    return operator && { ...operator, steps: used.map(({ step }) => step) };
  }
  const account = accounts.get(Number(name));
  if (account === undefined || account.masterId !== null) return undefined;
  const used = wallet.totpSteps.filter(({ accountId }) => accountId === account.accountId);
  return { ...account, steps: used.map(({ step }) => step) };
}

/** Returns the master of an account's family. */
export function familyOf(exchange: ModelState, accountId: number): number | null {
  const account = exchange.accounts.get(accountId);
  return account === undefined ? null : (account.masterId ?? accountId);
}
