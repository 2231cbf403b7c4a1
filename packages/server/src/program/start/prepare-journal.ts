/** Before a node serves, journals the rules version, master key check, settings and listings if needed. */
import assert from "node:assert/strict";
import type {
  EngineView,
  FillCredits,
  InterfaceName,
  OrderIdScope,
  OrderLimit,
  SharedSetting,
} from "@pricetime/engine";
import { type LimitRule, windowMs } from "../../api/edge/rate-limit-rules.ts";
import { NodeUnfit, type Sequencer } from "../../journal/sequencer/port.ts";
import { changeLines, unlikeJournal } from "../../cluster/compare-nodes.ts";
import { applyListing, checkListing } from "../../people/admin/listing.ts";
import { differsWarning } from "../../platform/config/listing-warnings.ts";
import type { DemoNode } from "../../lab/demo/operator.ts";
import type { Demo, DemoGateway } from "../../lab/demo/port.ts";
import { adoptNewestRules } from "../../journal/sequencer/start.ts";
import { sharedSettings } from "../../platform/config/config.ts";
import { bindMasterKey } from "./master-key.ts";

/** The order limits among the rate limit rules, in the engine's form. */
export function orderLimitsOf(rules: readonly LimitRule[]): OrderLimit[] {
  return rules
    .filter(({ rateLimitType }) => rateLimitType === "ORDERS")
    .map((rule) => ({ windowMs: windowMs(rule), limit: rule.limit }));
}

/** Journals the order limits if they differ from the engine's. Rejects with the errors of `Sequencer.run`. */
export async function journalOrderLimits(
  sequencer: Pick<Sequencer, "run">,
  view: Pick<EngineView, "orderLimits" | "fillCredits">,
  rules: readonly LimitRule[],
  by: string,
  fillCredits: FillCredits = view.fillCredits,
): Promise<void> {
  const limits = orderLimitsOf(rules);
  const isCredited = fillCredits.taker > 0 || fillCredits.maker > 0;
  const { taker, maker } = view.fillCredits;
  if (isSame(view.orderLimits, limits) && fillCredits.taker === taker && fillCredits.maker === maker) return;
  const credits = isCredited ? { fillCredits } : {};
  const { events } = await sequencer.run({ type: "setOrderLimits", by, rules: limits, ...credits });
  assert(events[0]?.type !== "rejected", "the configuration allows only limits that the engine takes");
}

function isSame(some: readonly OrderLimit[], others: readonly OrderLimit[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ windowMs: length, limit }, i) => length === others[i]?.windowMs && limit === others[i]?.limit)
  );
}

// Settings that must be equal on all nodes are journaled. docs/decisions/0044.

type View = Pick<EngineView, "sharedSettings">;

/** Checks the node's settings. Throws `NodeUnfit` if they differ from the journaled ones. */
export function checkSettings(own: readonly SharedSetting[], view: View): void {
  const unlike = unlikeJournal(own, view.sharedSettings);
  if (unlike !== undefined) throw new NodeUnfit(unlike);
}

/**
 * Journals the settings if they differ from the journaled ones. Resolves to one line per change. Rejects with the
 * errors of `Sequencer.run`.
 */
export async function journalSettings(
  sequencer: Pick<Sequencer, "run">,
  view: View,
  own: readonly SharedSetting[],
  by: string,
): Promise<string[]> {
  const journaled = view.sharedSettings;
  const isSame = own.every(({ name, value }) => journaled.some((kept) => kept.name === name && kept.value === value));
  if (isSame) return [];
  const { events } = await sequencer.run({ type: "setSharedSettings", by, settings: own });
  assert(events[0]?.type !== "rejected", "the configuration has only settings that the engine keeps");
  return changeLines(own, journaled);
}

// The interface of the venue. docs/decisions/0095.

/**
 * Journals the interface if it differs from the engine's. Resolves to a line about the change; none for a new journal.
 * Rejects with the errors of `Sequencer.run`.
 */
export async function journalInterface(
  sequencer: Pick<Sequencer, "run">,
  view: Pick<EngineView, "interface" | "sharedSettings">,
  name: InterfaceName,
  by: string,
): Promise<string[]> {
  const before = view.interface;
  if (before === name) return [];
  const isNew = view.sharedSettings.length === 0;
  const { events } = await sequencer.run({ type: "setInterface", by, interface: name });
  const [first, ...ended] = events;
  assert(first?.type === "interfaceChanged", "the configuration has only interfaces that the engine has");
  if (isNew) return [];
  const keys = ended.length === 0 ? "" : `; ${ended.length} listen keys ended`;
  return [`interface changed from ${before} to ${name}; open orders stay${keys}`];
}

/** Checks the interface of a node that joins a journal. Throws `NodeUnfit` if it is the other one. */
export function checkInterface(name: InterfaceName, view: View & Pick<EngineView, "interface">): void {
  if (view.sharedSettings.length === 0 || view.interface === name) return;
  throw new NodeUnfit(unlikeJournal([settingOf(name)], [settingOf(view.interface)]) ?? "interface differs");
}

const settingOf = (name: InterfaceName): SharedSetting => ({ name: "interface", value: JSON.stringify(name) });

// How order ids are counted. docs/decisions/0106.

type OrderIdsView = View & Pick<EngineView, "orderIds">;

/** Throws `NodeUnfit` if the journal is not new and counts order ids in the other way. */
export function checkOrderIds(orderIds: OrderIdScope, view: OrderIdsView): void {
  if (view.sharedSettings.length > 0 && view.orderIds !== orderIds) throw otherOrderIds(orderIds, view);
}

/**
 * Journals how order ids are counted if the journal, which is new, does not say so yet. Rejects with `NodeUnfit` if it has
 * orders all the same, as that of an older release, and with the errors of `Sequencer.run`.
 */
export async function journalOrderIds(
  sequencer: Pick<Sequencer, "run">,
  view: OrderIdsView,
  orderIds: OrderIdScope,
  by: string,
): Promise<void> {
  if (view.orderIds === orderIds) return;
  const { events } = await sequencer.run({ type: "setOrderIds", by, orderIds });
  if (events[0]?.type !== "orderIdsSet") throw otherOrderIds(orderIds, view);
}

const otherOrderIds = (orderIds: OrderIdScope, view: OrderIdsView): NodeUnfit =>
  new NodeUnfit(
    `orderIds is ${orderIds} on this node, but ${view.orderIds} in the journal, where it was fixed when the data folder ` +
      "was created. Configure that value, or use another data folder",
  );

/** The parts of a node needed to prepare its journal. */
export interface PreparedNode {
  readonly node: DemoNode;
  readonly masterKey: string;
  /** Undefined on a single node. While a node of an `older` release is running, the rules version is not raised. */
  readonly cluster: { readonly older: { readonly node: string; readonly release: string } | undefined } | undefined;
  readonly demo: Demo;
  readonly gateway: DemoGateway;
}

/**
 * Resolves to warnings. Rejects with `ListingRefused`, `ConfigError`, `NodeUnfit`, and the errors of `Sequencer.run`.
 */
export async function prepareJournal({ node, masterKey, cluster, demo, gateway }: PreparedNode): Promise<string[]> {
  const { view, sequencer } = node;
  const { config } = demo;
  const older = cluster?.older;
  const settings = sharedSettings(config);
  checkOrderIds(config.orderIds, view);
  if (cluster !== undefined && !config.adoptsSettings) {
    checkInterface(config.interface, view);
    checkSettings(settings, view);
  }
  for (const name of ["interface", "orderIds"] as const) {
    if (older === undefined || view[name] === config[name]) continue;
    throw new NodeUnfit(
      `${name}: ${config[name]} needs this release on all nodes. Upgrade node ${older.node}, which runs ${older.release}`,
    );
  }
  if (older === undefined) await adoptNewestRules(view, sequencer);
  await bindMasterKey(sequencer, view, masterKey, config.node);
  await journalOrderIds(sequencer, view, config.orderIds, config.node);
  const turned = await journalInterface(sequencer, view, config.interface, config.node);
  // An older release cannot read journaled settings.
  const changed = older === undefined ? await journalSettings(sequencer, view, settings, config.node) : [];
  await journalOrderLimits(sequencer, view, config.limits.rules, config.node, config.limits.fillCredits);
  const listing = await demo.listing(node);
  if (cluster !== undefined && !config.demo) checkListing(listing, view);
  const differing = await applyListing(listing, view, sequencer, config.lab !== null);
  const waiting = older && `newer rules stay off until node ${older.node}, which runs ${older.release}, is upgraded`;
  return [
    ...(waiting ? [waiting] : []),
    ...turned,
    // The change of the interface has its own line.
    ...changed.filter((line) => !line.startsWith("interface ")),
    ...differing.map(differsWarning),
    ...(await demo.open(node, gateway)),
  ];
}
