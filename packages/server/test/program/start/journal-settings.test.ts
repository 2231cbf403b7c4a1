/** Settings that all nodes share are journaled: a differing node of several is rejected, a single node logs the change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADOPT_NEWEST_RULES } from "@pricetime/engine";
import type { Environment } from "../../../src/platform/config/environment.ts";
import { changeLines, unlikeJournal } from "../../../src/cluster/compare-nodes.ts";
import { loadConfig, sharedSettings } from "../../../src/platform/config/config.ts";
import { NodeUnfit } from "../../../src/journal/sequencer/port.ts";
import {
  checkInterface,
  checkOrderIds,
  checkSettings,
  journalInterface,
  journalOrderIds,
  journalSettings,
} from "../../../src/program/start/prepare-journal.ts";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { deposit, listAsset, listSymbol, openAccount, placeOrder } from "@pricetime/testkit/commands";
import { startExchange } from "@pricetime/testkit/venue";
import { startEngine } from "../../people/admin/running.ts";

const of = (environment: Environment): ReturnType<typeof sharedSettings> => sharedSettings(loadConfig({ environment }));
const OWN = of({});

test("settings are journaled at first and when they change, and each change is logged", async () => {
  const { engine, sequencer } = startEngine();
  const journal = (own = OWN): Promise<string[]> => journalSettings(sequencer, engine, own, "n1");
  assert.deepEqual(await journal(), [], "a journal that had none");
  assert.deepEqual(engine.sharedSettings, OWN);
  const { seq } = engine;
  assert.deepEqual(await journal(), []);
  assert.equal(engine.seq, seq, "nothing differs");
  const other = of({ PRICETIME_TAKER_BPS: "11", PRICETIME_LIMITS: "off" });
  assert.throws(() => checkSettings(other, engine), NodeUnfit);
  assert.deepEqual(await journal(other), [
    "fees.takerBps changed from 10 to 11",
    "limits.enabled changed from true to false",
  ]);
  assert.deepEqual(engine.sharedSettings, other);
  checkSettings(other, engine);
});

test("an error shows the first differing value and the paths of the others", () => {
  const other = of({ PRICETIME_TAKER_BPS: "11", PRICETIME_DEMO: "off" });
  assert.match(
    unlikeJournal(other, OWN) ?? "",
    /^fees\.takerBps is 11 on this node, but 10 in the journal, which applies to all nodes \(and 1 more: demo\)\. .*--adopt-settings/,
  );
  assert.equal(unlikeJournal(OWN, OWN), undefined);
});

test("values of a list, values that are not set, and settings that one of two releases does not know", () => {
  const text = (value: unknown): string => JSON.stringify(value);
  const rules = (limit: number) => ({ name: "limits.rules", value: text([{ interval: "DAY", limit }]) });
  assert.deepEqual(changeLines([rules(7)], [rules(9)]), ["limits.rules[0].limit changed from 9 to 7"]);
  const filters = (value: unknown) => [{ name: "exchangeFilters", value: text(value) }];
  assert.deepEqual(changeLines(filters({ maxNumOrders: 5 }), filters(null)), [
    "exchangeFilters.maxNumOrders changed from not set to 5",
    "exchangeFilters changed from null to not set",
  ]);
  assert.deepEqual(changeLines([...OWN, { name: "newer", value: "1" }], OWN), []);
  assert.deepEqual(changeLines(OWN, [...OWN, { name: "older", value: "1" }]), []);
});

test("a single node adopts its configuration and logs the changes", async (t) => {
  const dataFolder = scratchFolder(t);
  const start = (limits: string): ReturnType<typeof startExchange> =>
    startExchange({ args: ["--bots", "off", "--limits", limits], dataFolder });
  const first = await start("on");
  await first.stop();
  assert.doesNotMatch(first.output(), /from here on/);
  const second = await start("off");
  await second.stop();
  assert.match(second.output(), /limits\.enabled changed from true to false/);
});

test("the interface is journaled, and a change says what becomes of orders and listen keys", async () => {
  const { engine, sequencer } = startEngine();
  await sequencer.run(ADOPT_NEWEST_RULES);
  const journal = (name: "2019" | "today"): Promise<string[]> => journalInterface(sequencer, engine, name, "n1");
  const { seq } = engine;
  assert.deepEqual(await journal("2019"), []);
  assert.equal(engine.seq, seq, "nothing differs");
  assert.deepEqual(await journal("today"), [], "a new journal changes nothing that anyone has used");
  assert.equal(engine.interface, "today");
  await journalSettings(sequencer, engine, OWN, "n1");
  assert.deepEqual(await journal("2019"), ["interface changed from today to 2019; open orders stay"]);
  await sequencer.run(openAccount("a@example.org"));
  await sequencer.run({ type: "openListenKey", accountId: 100, listenKey: "k" });
  const line = "interface changed from 2019 to today; open orders stay; 1 listen keys ended";
  assert.deepEqual(await journal("today"), [line]);
});

test("a node of the other interface cannot join a journal", async () => {
  const { engine, sequencer } = startEngine();
  checkInterface("today", engine);
  await sequencer.run(ADOPT_NEWEST_RULES);
  // A journal of a release without the setting has the interface of 2019.
  await journalSettings(
    sequencer,
    engine,
    OWN.filter(({ name }) => name !== "interface"),
    "n1",
  );
  checkInterface("2019", engine);
  assert.throws(
    () => checkInterface("today", engine),
    new NodeUnfit(
      'interface is "today" on this node, but "2019" in the journal, which applies to all nodes. ' +
        "Configure that value, or start this node with --adopt-settings while no other node runs",
    ),
  );
  assert.throws(
    () => checkSettings(of({ PRICETIME_INTERFACE: "today" }), { sharedSettings: OWN }),
    /^NodeUnfit: interface is/,
  );
});

test("how order ids are counted is journaled in a new journal, and never changes", async () => {
  const { engine, sequencer } = startEngine();
  await sequencer.run(ADOPT_NEWEST_RULES);
  const journal = (orderIds: "exchange" | "symbol"): Promise<void> => {
    checkOrderIds(orderIds, engine);
    return journalOrderIds(sequencer, engine, orderIds, "n1");
  };
  const { seq } = engine;
  await journal("exchange");
  assert.equal(engine.seq, seq, "nothing differs");
  await journal("symbol");
  assert.equal(engine.orderIds, "symbol");
  await journalSettings(sequencer, engine, OWN, "n1");
  await journal("symbol");
  const refused = new NodeUnfit(
    "orderIds is exchange on this node, but symbol in the journal, where it was fixed when the data folder was created. " +
      "Configure that value, or use another data folder",
  );
  assert.throws(() => checkOrderIds("exchange", engine), refused);
  await assert.rejects(journalOrderIds(sequencer, engine, "exchange", "n2"), refused, "nor after another first start");
});

test("a journal of an older release that has orders counts them across the exchange", async () => {
  const { engine, sequencer } = startEngine();
  await sequencer.run(ADOPT_NEWEST_RULES);
  const listed = [listAsset("BTC"), listAsset("USDT"), listSymbol("BTC/USDT"), openAccount("a@example.org")];
  const funds = deposit(100, "USDT", "100", "funds");
  for (const command of [...listed, funds]) await sequencer.run(command);
  const order = placeOrder({ accountId: 100, side: "BUY", priceTicks: 1, quantityLots: 1, clientOrderId: "one" });
  const [opened] = (await sequencer.run(order)).events;
  assert.equal(opened?.type, "orderOpened");
  await assert.rejects(journalOrderIds(sequencer, engine, "symbol", "n1"), /but exchange in the journal/);
  assert.equal(engine.orderIds, "exchange");
});

test("a demo that is started with the other interface answers with it", async (t) => {
  const dataFolder = scratchFolder(t);
  const start = (name: string): ReturnType<typeof startExchange> =>
    startExchange({ args: ["--bots", "off", "--interface", name], dataFolder });
  const listens = async ({ rest, admin }: Awaited<ReturnType<typeof start>>): Promise<unknown> => {
    const ready = (await (await fetch(`${admin}/readyz`)).json()) as { readonly interface: string };
    const ping = await fetch(`${rest}/api/v1/ping`);
    return [ready.interface, ping.status, ping.headers.get("x-mbx-used-weight-1m")];
  };
  const first = await start("2019");
  assert.deepEqual(await listens(first), ["2019", 200, "1"]);
  await first.stop();
  const second = await start("today");
  assert.deepEqual(await listens(second), ["today", 404, "1"]);
  await second.stop();
  assert.match(second.output(), /interface changed from 2019 to today; open orders stay/);
  assert.match(second.output(), /limits\.rules\[0\]\.intervalNum changed from 1 to 10/);
});
