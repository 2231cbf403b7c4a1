/**
 * Letters about signing in, on the real program: they go over SMTP to a real server, their links open what they promise,
 * and a process that is killed with letters unsent loses none.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type MailServer, startMailServer } from "@pricetime/testkit/mail-server";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";
import { until } from "@pricetime/testkit/waiting";

const PASSWORD = "a long enough password";
const PUBLIC_URL = "https://exchange.example";

class Venue {
  readonly #folder = temporaryFolder();
  mail: MailServer | undefined;
  exchange: Exchange | undefined;

  async start(): Promise<Exchange> {
    this.mail ??= await startMailServer();
    const smtp = `{ host: 127.0.0.1, port: ${this.mail.port}, requireTls: false }`;
    const config = join(this.#folder, "config.yaml");
    writeFileSync(config, `publicUrl: ${PUBLIC_URL}\nemail: { smtp: ${smtp} }\n`);
    const args = ["--bots", "off", "--limits", "off", "--config", config];
    this.exchange = await startExchange({ dataFolder: join(this.#folder, "data"), args });
    return this.exchange;
  }

  async close(): Promise<void> {
    await this.exchange?.kill();
    await this.mail?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get taken(): MailServer["taken"] {
    return this.mail?.taken ?? [];
  }

  /** What the link to a page says, of the newest letter that has one. */
  async link(page: string): Promise<Record<string, string>> {
    const found = (): string | undefined =>
      this.taken.map(({ raw }) => textOf(raw)).findLast((text) => text.includes(`/account/#/${page}?`));
    await until(`a letter leads to ${page}`, () => found() !== undefined);
    const query = new RegExp(`^${PUBLIC_URL}/account/#/${page}\\?(\\S+)$`, "m").exec(found() ?? "")?.[1];
    return Object.fromEntries(new URLSearchParams(query));
  }

  async ask(path: string, body: object): Promise<number> {
    const headers = { "content-type": "application/json", "x-pricetime-page": "account" };
    const address = `${this.exchange?.rest}/account/v1/${path}`;
    const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    await response.text();
    return response.status;
  }
}

function textOf(raw: string): string {
  return raw.replaceAll("=\r\n", "").replaceAll("=3D", "=").replaceAll("\r\n", "\n");
}

async function withVenue(run: (venue: Venue) => Promise<void>): Promise<void> {
  const venue = new Venue();
  try {
    await run(venue);
  } finally {
    await venue.close();
  }
}

test("an invited customer chooses a password, gets an email about the sign-in, and locks the account with its link", async () => {
  await withVenue(async (venue) => {
    const exchange = await venue.start();
    const { email } = exchange.accounts[0] ?? assert.fail();
    await operate(exchange, "POST", `/v1/accounts/${email}/invitation`, {});
    const invited = await venue.link("invitation");
    assert.deepEqual(venue.taken[0]?.to, [email]);
    const forged = { ...invited, secret: "A".repeat(43), password: PASSWORD };
    assert.equal(await venue.ask("invitation/accept", forged), 404);
    assert.equal(await venue.ask("invitation/accept", { ...invited, password: PASSWORD }), 200);
    assert.equal(await venue.ask("sign-in", { email, password: PASSWORD }), 200);

    const { account, notice, until: end, secret } = await venue.link("lock-account");
    const lock = { account: Number(account), notification: Number(notice), until: Number(end), secret };
    assert.equal(await venue.ask("lock", { ...lock, notification: lock.notification + 1 }), 404);
    const canTrade = async (): Promise<unknown> =>
      (await operate<{ canTrade: boolean }>(exchange, "GET", `/v1/accounts/${email}`)).canTrade;
    assert.equal(await canTrade(), true);
    assert.equal(await venue.ask("lock", lock), 200);
    assert.equal(await canTrade(), false);
    await until("the lock email is sent", () => venue.taken.some(({ raw }) => raw.includes("Your account is locked")));
  });
});

test("letters that were not sent when the process was killed are sent after the next start, once", async () => {
  await withVenue(async (venue) => {
    const exchange = await venue.start();
    const { port } = venue.mail ?? assert.fail();
    await venue.mail?.close();
    const people = ["one@example.com", "two@example.com"];
    for (const email of people) await operate(exchange, "POST", "/v1/invitations", { email, name: "N" });
    await exchange.kill();
    venue.mail = await startMailServer(port);
    const again = await venue.start();
    await until("both are sent", () => venue.taken.length >= people.length);
    await again.stop();
    await venue.start();
    const receivers = venue.taken.map(({ to }) => to.join());
    assert.deepEqual(receivers.toSorted(), people);
  });
});
