/**
 * The terminal's access to its lab: `/lab/…` on the REST port corresponds to `/v1/lab/…` of the admin API, for requests
 * with the token that `/terminal.json` gives to pages of the same machine. Other requests get 404. Decision 47.
 */
import assert from "node:assert/strict";
import { type Answer, Rejection } from "../people/http/answer.ts";
import { failureOf } from "../people/admin/rejections.ts";
import { TOKEN_HOLDER } from "../people/admin/operator.ts";
import { type AdminRoute, foundOr, LAB_PATH } from "../people/admin/router.ts";
import { RouteTable } from "../people/http/route-table.ts";
import { JSON_TYPE } from "../people/admin/http.ts";
import type { LabAccess } from "../people/admin/server.ts";
import { randomKey, sameSecret } from "../platform/secrets/api-keys.ts";
import { isFromOwnPage } from "../api/edge/http/own-page.ts";
import type { Entrance, GatewayRequest, GatewayResponse } from "../api/edge/request.ts";
import type { Logger } from "../platform/observe/log.ts";
import type { Dice } from "../platform/world/port.ts";

const PATH = "/lab/";
/** The access of pages: the lab's routes that the admin token may use. */
export const PAGE_PORT = { grants: ["token"], below: LAB_PATH };
const ADMIN_PATH = "/v1";
/**
 * The header with the token. Pages of other sites cannot send it, because browsers require a CORS preflight for it,
 * which fails.
 */
const PAGE_TOKEN_HEADER = "x-pricetime-lab";
/** The author of the pages' actions in the journal. */
const ACTOR = "terminal";

export interface PageAccessParts {
  /** The machine's random source. The token must not be predictable from the lab's seed. */
  readonly dice: Dice;
  readonly log: Pick<Logger, "info" | "error">;
}

export class PageAccess {
  readonly token: string;
  readonly #log: PageAccessParts["log"];
  #access: Pick<LabAccess, "admit"> | undefined;
  #routes: RouteTable<AdminRoute> | undefined;

  constructor({ dice, log }: PageAccessParts) {
    this.token = randomKey(dice);
    this.#log = log;
  }

  /** Enables access. Called before the node listens, and again after each restore. */
  open(access: LabAccess): void {
    this.#access = access;
    this.#routes = new RouteTable(access.routes, PAGE_PORT);
  }

  /**
   * Handles requests for the lab, which bypass its admission queue, its faults, and the limits of clients. Other
   * requests go to `sink`.
   */
  before(sink: Entrance): Entrance {
    return {
      process: (request, replier) => {
        if (!this.#isForLab(request)) sink.process(request, replier);
        // The promise never rejects.
        else void this.#answer(request).then((answer) => replier.reply(answer));
      },
      processMethod: (request, replier) => sink.processMethod(request, replier),
      turnAway: (ip, path, error, replier) => sink.turnAway(ip, path, error, replier),
      charge: (ip, weight) => sink.charge(ip, weight),
      ban: (ip) => sink.ban(ip),
    };
  }

  #isForLab(request: GatewayRequest): boolean {
    if (!request.path.startsWith(PATH)) return false;
    const sent = request.headers[PAGE_TOKEN_HEADER];
    return typeof sent === "string" && sameSecret(sent, this.token) && isFromOwnPage(request);
  }

  async #answer(request: GatewayRequest): Promise<GatewayResponse> {
    let answer: Answer;
    try {
      answer = await this.#handle(request);
    } catch (error) {
      answer = failureOf(error, this.#log);
    }
    const { status, body } = answer;
    return { status, headers: [], body: `${JSON.stringify(body)}\n`, contentType: JSON_TYPE, keeping: "not at all" };
  }

  async #handle({ method, path: pagePath, query, body }: GatewayRequest): Promise<Answer> {
    const [access, routes] = [this.#access, this.#routes];
    assert.ok(access !== undefined && routes !== undefined, "the node listens before its lab is there");
    const address = ADMIN_PATH + pagePath;
    const { route, path } = foundOr(routes.find(method, address), method);
    const isOfFiles = route.types !== undefined || route.maxBytes !== undefined;
    if (isOfFiles) throw new Rejection(404, "NOT_HERE", "Files are available only on the admin port.");
    const sent = jsonOf(body);
    await access.admit(address);
    const answer = await route.handle({
      path,
      search: new URLSearchParams(query),
      body: sent,
      by: ACTOR,
      caller: TOKEN_HOLDER,
    });
    assert.ok(answer.stream === undefined, `${route.pattern} does not say that it answers with a file`);
    if (method !== "GET") this.#log.info({ by: ACTOR, method, path: address, status: answer.status }, "admin request");
    return answer;
  }
}

/** Parses a JSON body, which has one character per byte. Throws `Rejection` 400. */
function jsonOf(body: string): unknown {
  if (body === "") return undefined;
  try {
    return JSON.parse(Buffer.from(body, "latin1").toString("utf8"));
  } catch (error) {
    throw new Rejection(400, "BAD_REQUEST", `The body is not JSON: ${(error as Error).message}`);
  }
}
