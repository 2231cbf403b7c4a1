/**
 * Somebody who knows a customer's password takes the account over, until its holder freezes it: what operators see of it
 * in the account's time line, at the real program, also after a start on a history that an older program has written.
 */
import assert from "node:assert/strict";
import { createHmac, hkdfSync } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { scratchFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";
import { start } from "./rig.ts";

const EMAIL = "ann@example.com";
const PASSWORD = "correct horse battery";
const STOLEN = "the thief's own password";
const MASTER_KEY = "c0ffee".repeat(10) + "beef";
const SETTINGS = `masterKey: "${MASTER_KEY}"\nwallet: { networks: [{ network: BTC, kind: sandbox, blockMs: 0 }] }\n`;
const FORM = "application/x-www-form-urlencoded";

/** A browser that calls itself so, and keeps its cookie. */
class Visitor {
  readonly #rest: string;
  readonly #client: string;
  #cookie = "";

  constructor({ rest }: Exchange, client: string) {
    this.#rest = rest;
    this.#client = client;
  }

  async send(path: string, type: string, body: string): Promise<Record<string, unknown>> {
    const headers = { "x-pricetime-page": "account", "user-agent": this.#client, "content-type": type };
    const cookie: Record<string, string> = this.#cookie === "" ? {} : { cookie: this.#cookie };
    const answer = await fetch(this.#rest + path, { method: "POST", headers: { ...headers, ...cookie }, body });
    const text = await answer.text();
    assert.equal(answer.status, 200, `${path} ${text}`);
    const set = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
    if (set.length > 0) this.#cookie = set.join("; ");
    return JSON.parse(text) as Record<string, unknown>;
  }

  post(path: string, body: object): Promise<Record<string, unknown>> {
    return this.send(`/account/v1/${path}`, "application/json", JSON.stringify(body));
  }
}

/** The secret in the link of the letter that freezes an account. */
function freezeSecret(account: number, notice: number, until: number): string {
  const label = "pricetime: links of those who sign in";
  const key = Buffer.from(hkdfSync("sha256", Buffer.from(MASTER_KEY, "hex"), "", label, 32));
  return createHmac("sha256", key).update(`freeze:${account}:${notice}:${until}`).digest("base64url");
}

const HOUR_MS = 3_600_000;

interface Row {
  readonly kind: string;
  readonly what: string;
  readonly by: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const timeLine = async (exchange: Exchange, query = ""): Promise<readonly Row[]> =>
  (await operate<{ rows: Row[] }>(exchange, "GET", `/v1/accounts/${EMAIL}/timeline${query}`)).rows;
const said = (rows: readonly Row[]): string[] => rows.map(({ kind, what }) => `${kind} ${what}`).toReversed();

async function takeOver(exchange: Exchange): Promise<number> {
  const { link } = await operate<{ link: string }>(exchange, "POST", "/v1/invitations", { email: EMAIL, name: "Ann" });
  const { id, secret } = Object.fromEntries(new URLSearchParams(link.slice(link.indexOf("?") + 1)));
  const ann = new Visitor(exchange, "Ann's Firefox");
  await ann.post("invitation/accept", { id, secret, password: PASSWORD });
  await operate(exchange, "POST", "/v1/deposits", { account: EMAIL, asset: "BTC", amount: "2", reference: "r" });
  const thief = new Visitor(exchange, "a thief's curl");
  const { accountId } = await thief.post("sign-in", { email: EMAIL, password: PASSWORD });
  await thief.post("password", { password: PASSWORD, newPassword: STOLEN });
  await thief.post("keys", { label: "mine", permissions: ["TRADE"], ipAllowList: [] });
  const asked = new URLSearchParams({ coin: "BTC", network: "BTC", address: "somewhereelse1234", amount: "1" });
  await thief.send("/sapi/v1/capital/withdraw/apply", FORM, asked.toString());
  const account = Number(accountId);
  const until = Date.now() + HOUR_MS;
  await ann.post("lock", { account, notification: 1, until, secret: freezeSecret(account, 1, until) });
  return account;
}

test("a take-over stands in the time line, step by step, also on a history that did not have it", async (t) => {
  const dataFolder = scratchFolder(t);
  const first = await start(t, SETTINGS, { dataFolder });
  const accountId = await takeOver(first);
  const all = await timeLine(first);
  assert.deepEqual(said(all), [
    "access acceptInvitation",
    "access openSession",
    "action deposit",
    "access openSession",
    "access setPassword",
    "key createApiKey",
    "money withdrawal",
    "access freezeAccount",
  ]);
  const access = await timeLine(first, "?kind=access");
  assert.deepEqual(
    said(access),
    said(all).filter((line) => line.startsWith("access ")),
  );
  const [own, stranger] = access.filter(({ what }) => what === "openSession").toReversed();
  assert.deepEqual([own?.details["client"], stranger?.details["client"]], ["Ann's Firefox", "a thief's curl"]);
  assert.deepEqual([stranger?.details["ip"], stranger?.details["isNew"]], ["127.0.0.1", true]);
  const acts = await operate<readonly { type: string; by: string }[]>(
    first,
    "GET",
    `/v1/audit-log?account=${accountId}`,
  );
  assert.deepEqual(
    acts.map(({ type, by }) => `${type} ${by === "test" || !by.includes(":") ? "operator" : by}`).toReversed(),
    [
      ...["acceptInvitation", "openSession"].map((type) => `${type} account:${accountId}`),
      "deposit operator",
      ...["openSession", "setPassword", "createApiKey", "freezeAccount"].map((type) => `${type} account:${accountId}`),
    ],
  );
  assert.equal(await first.stop(), 0);

  const history = new DatabaseSync(join(dataFolder, "history.sqlite"));
  history.exec("UPDATE operator_acts SET account_id = NULL WHERE type = 'setPassword'");
  history.exec("DROP TABLE access_acts; PRAGMA user_version = 3");
  history.close();
  const second = await start(t, SETTINGS, { dataFolder });
  await until("the history is made anew", async () => (await timeLine(second)).length === all.length);
  assert.deepEqual(await timeLine(second), all);
});
