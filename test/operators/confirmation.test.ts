/**
 * A withdrawal that waits for a mailed link, on the real program: the mail goes over SMTP to a real server,
 * the link is opened as a browser would, and the coins arrive on a sandbox chain.
 */
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "@pricetime/testkit/waiting";
import { type MailServer, startMailServer } from "@pricetime/testkit/mail-server";
import { sign } from "@pricetime/testkit/client";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { type Exchange, operate, startExchange } from "@pricetime/testkit/venue";

const ELSEWHERE = "somewhereelse1234";

async function withExchange(run: (exchange: Exchange, mail: MailServer) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const mail = await startMailServer();
  const smtp = `{ host: 127.0.0.1, port: ${mail.port}, requireTls: false }`;
  writeFileSync(join(folder, "config.yaml"), `publicUrl: https://exchange.example\nemail: { smtp: ${smtp} }\n`);
  try {
    const args = ["--bots", "off", "--limits", "off", "--config", join(folder, "config.yaml")];
    const exchange = await startExchange({ args });
    try {
      await run(exchange, mail);
    } finally {
      await exchange.stop();
    }
  } finally {
    await mail.close();
    rmSync(folder, { recursive: true });
  }
}

/** As the first demo account. */
async function signed(
  exchange: Exchange,
  method: string,
  path: string,
  query: string,
): Promise<Record<string, unknown>> {
  const { apiKey, secretKey } = exchange.accounts[0] ?? assert.fail();
  const sent = `${query}&recvWindow=60000&timestamp=${Date.now()}`;
  const signature = sign(secretKey, sent);
  const headers = { "X-MBX-APIKEY": apiKey };
  const response = await fetch(`${exchange.rest}${path}?${sent}&signature=${signature}`, { method, headers });
  return (await response.json()) as Record<string, unknown>;
}

async function statusOf(exchange: Exchange, id: unknown): Promise<unknown> {
  const { withdrawList } = await signed(exchange, "GET", "/wapi/v3/withdrawHistory.html", "asset=BTC");
  return (withdrawList as { id: string; status: number }[]).find((row) => row.id === id)?.status;
}

test("a mailed link is opened, confirms once, and the withdrawal arrives", async () => {
  await withExchange(async (exchange, mail) => {
    const { email } = exchange.accounts[0] ?? assert.fail();
    await operate(exchange, "PATCH", `/v1/accounts/${email}`, { confirmsByEmail: true });
    const asked = `asset=BTC&address=${ELSEWHERE}&amount=1.5`;
    const { id, success } = await signed(exchange, "POST", "/wapi/v3/withdraw.html", asked);
    assert.equal(success, true);
    await until("the mail is there", () => mail.taken.length > 0);
    assert.deepEqual(mail.taken[0]?.to, [email]);
    const text = (mail.taken[0]?.raw ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
    const link = new URL(/https:\/\/exchange\.example\/\S+/.exec(text)?.[0] ?? "");
    assert.equal(link.searchParams.get("id"), id);
    assert.equal(await statusOf(exchange, id), 0);

    const here = exchange.rest + link.pathname + link.search;
    const open = async (address: string, method: string): Promise<number> => {
      const response = await fetch(address, { method });
      await response.text();
      return response.status;
    };
    const forged = here.replace(/secret=./, (start) => (start.endsWith("A") ? "secret=B" : "secret=A"));
    assert.equal(await open(forged, "POST"), 410);
    assert.equal(await open(here, "GET"), 200);
    assert.equal(await statusOf(exchange, id), 0);
    assert.equal(await open(here, "POST"), 200);
    await until("it arrived", async () => (await statusOf(exchange, id)) === 6);
    for (const method of ["GET", "POST"]) assert.equal(await open(here, method), 410);
    assert.equal(mail.taken.length, 1);
  });
});
