/**
 * The real program, killed between a withdrawal's commit and its letter: the outbox cannot be written while the
 * withdrawal is journaled and answered, so that no letter can be there when the process dies.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";

const COIN = "DOGE";
const MOST_TRIES = 400;

interface Letter {
  readonly to: string;
  readonly text: string;
}

class Venue {
  readonly #folder = temporaryFolder();
  readonly #dataFolder = join(this.#folder, "data");
  readonly outbox = join(this.#dataFolder, "mail");
  exchange: Exchange | undefined;

  get running(): Exchange {
    return this.exchange ?? assert.fail("not started");
  }

  async start(): Promise<void> {
    const config = join(this.#folder, "config.yaml");
    writeFileSync(
      config,
      `publicUrl: https://x.example\nwallet: { networks: [{ kind: sandbox, network: ${COIN} }] }\n`,
    );
    const args = ["--bots", "off", "--limits", "off", "--config", config];
    this.exchange = await startExchange({ dataFolder: this.#dataFolder, args });
  }

  async close(): Promise<void> {
    await this.exchange?.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async operate(method: string, path: string, body: object): Promise<void> {
    await operate(this.running, method, path, body);
  }

  async ask<T>(method: string, path: string, parameters = {}): Promise<T> {
    const client = new Client(this.running.rest, this.running.accounts[0]);
    try {
      const { status, text, json } = await client.signed<T>(method, path, parameters);
      assert.equal(status, 200, `${path}: ${text}`);
      return json;
    } finally {
      client.close();
    }
  }

  /** Journaled when it is answered. Answers with its id. */
  async withdraw(): Promise<string> {
    const request = { coin: COIN, address: "somebodyelses1234567", amount: 100 };
    return (await this.ask<{ id: string }>("POST", "/sapi/v1/capital/withdraw/apply", request)).id;
  }

  /** The link of the only letter about a withdrawal, as soon as it is on disk. */
  async link(id: string): Promise<string> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const [letter, ...others] = this.#letters().filter(({ text }) => text.includes(id));
      assert.deepEqual(others, [], "one letter");
      if (letter !== undefined) return /^https:.*$/m.exec(letter.text)?.[0] ?? assert.fail(letter.text);
      await sleep(25);
    }
    return assert.fail(`no letter about ${id}`);
  }

  #letters(): Letter[] {
    const names = readdirSync(this.outbox).filter((name) => name.endsWith(".json"));
    return names.map((name) => JSON.parse(readFileSync(join(this.outbox, name), "utf8")) as Letter);
  }
}

test("killed between commit and letter: the letter is written after the start, and its link confirms", async () => {
  const venue = new Venue();
  try {
    await venue.start();
    const { email } = venue.running.accounts[0] ?? assert.fail();
    await venue.operate("PATCH", `/v1/accounts/${email}`, { confirmsByEmail: true });
    const written = await venue.withdraw();
    const link = await venue.link(written);

    // The stop point: no file can be made in what is no folder.
    rmSync(venue.outbox, { recursive: true });
    writeFileSync(venue.outbox, "");
    const unwritten = await venue.withdraw();
    await venue.running.kill();
    rmSync(venue.outbox);
    await venue.start();

    const late = await venue.link(unwritten);
    assert.equal(await venue.link(written), link, "a letter that is lost is the same letter when it is written again");
    assert.notEqual(new URL(late).searchParams.get("secret"), new URL(link).searchParams.get("secret"));
    await venue.running.kill();
    await venue.start();
    assert.equal(await venue.link(unwritten), late, "one that is there is not written twice");
    const { pathname, search } = new URL(late);
    const page = await fetch(`${venue.running.rest}${pathname}${search}`, { method: "POST" });
    assert.match(await page.text(), /Withdrawal confirmed/);
    const rows = await venue.ask<{ id: string; status: number }[]>("GET", "/sapi/v1/capital/withdraw/history");
    assert.equal(rows.find(({ id }) => id === written)?.status, 0);
    assert.notEqual(rows.find(({ id }) => id === unwritten)?.status, 0);
  } finally {
    await venue.close();
  }
});
