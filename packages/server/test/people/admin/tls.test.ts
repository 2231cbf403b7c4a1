/** TLS of the admin port: operators sign in under any of its names, and unfinished handshakes do not block it. */
import assert from "node:assert/strict";
import { Agent, request } from "node:https";
import { connect, type Socket } from "node:net";
import { after, before, suite, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { setDefaultCACertificates } from "node:tls";
import { Authority, noOpenssl } from "@pricetime/testkit/authority";
import { temporaryFolder } from "@pricetime/testkit/scratch";
import { Operators, passwordOf } from "./access/operators.ts";
import { TOKEN } from "./running.ts";

const NAME = "console.example";

suite("TLS of the admin port", { skip: noOpenssl }, () => {
  let operators: Operators;

  before(async () => {
    const authority = new Authority(temporaryFolder());
    const pair = authority.issue("admin", ["IP:127.0.0.1", `DNS:${NAME}`]);
    setDefaultCACertificates([authority.ca]);
    operators = await Operators.open({ hosts: [NAME], certificates: { follow: (use) => use(pair) } });
  });
  after(() => operators.close());

  /** The status of one answer on a new connection. */
  const ask = (path: string, headers: Record<string, string> = {}, body?: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? "GET" : "POST";
      const sent = request(operators.url + path, { method, headers, agent: false }, (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      });
      sent.once("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
    });

  test("an operator signs in under a configured host name", async () => {
    await operators.invite("sue", "support");
    const said = { name: "sue", password: passwordOf("sue") };
    for (const headers of [{ host: NAME }, { host: NAME, origin: `https://${NAME}` }, {}]) {
      assert.equal(await ask("/v1/sign-in", headers, said), 200);
    }
    assert.equal(await ask("/v1/sign-in", { host: NAME, origin: "https://evil.example" }, said), 403);
    const { body } = await operators.venue.admin.call("POST", "/v1/operators/sue/invitation");
    assert.match(String(body["link"]), /^https:\/\/127\.0\.0\.1:/, "links lead to where it was asked");
  });

  /** The status of an answer on a keep-alive connection, and whether the connection was reused. */
  const askAgain = (agent: Agent): Promise<[status: number, isOld: boolean]> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const sent = request(`${operators.url}/v1/accounts`, { headers, agent }, (answer) => {
        answer.resume().on("end", () => resolve([answer.statusCode ?? 0, sent.reusedSocket]));
      });
      sent.once("error", reject).end();
    });

  test("500 connections with unfinished handshakes do not block the port", async (t) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    assert.deepEqual(await askAgain(agent), [200, false]);
    const port = Number(new URL(operators.url).port);
    let open: Socket[] = [];
    let closed = 0;
    const renew = (): void => {
      for (open = open.filter(({ destroyed }) => !destroyed); open.length < 500; ) {
        const socket = connect(port, "127.0.0.1").on("error", () => {});
        socket.on("close", () => closed++);
        // Half of them start a handshake and do not finish it.
        if (open.length % 2 === 0) socket.write(Buffer.from("160301020001000001fc0303", "hex"));
        open.push(socket.resume());
      }
    };
    renew();
    const renewing = setInterval(renew, 20);
    t.after(() => {
      clearInterval(renewing);
      for (const socket of open) socket.destroy();
    });
    await pause(300);
    for (let n = 0; n < 10; n++) {
      assert.equal(await ask("/healthz"), 200, `time ${n}`);
      assert.deepEqual(
        await askAgain(agent),
        [200, true],
        "an operator's work goes on, on the connection that was there",
      );
    }
    assert.ok(closed > 400, `${closed} made room`);
  });
});
