/** Routes that return a list: one page as JSON, or the complete list as a file with `?format=csv`. */
import { z } from "zod";
import { CSV_TYPE, csvLine, csvLines, withEnd, FileSlots, type Row } from "../../api/answers/file-answers.ts";
import { type Answer, ok, Rejection, streamed } from "../http/answer.ts";
import { parseWith } from "./parse.ts";
import type { NamesIn, Parsed, PathSchemas } from "../http/route.ts";
import { type AdminRequest, type AdminRoute, route } from "./router.ts";

export const LIST_LIMITS = {
  /**
   * Maximum number of rows of a file. If the list is longer, the connection is aborted, so that the file is visibly
   * incomplete.
   */
  maxFileRows: 1_000_000,
  /** Number of rows written per turn of the event loop. */
  rowsATurn: 500,
  /** Maximum number of files written at the same time; further requests are rejected with BUSY. */
  maxFiles: 4,
} as const;

const PLACES = new FileSlots(LIST_LIMITS.maxFiles);

const format = z.enum(["json", "csv"]).default("json");
const nothing = z.strictObject({});

/** Query parameters as sent. */
type Sent = Readonly<Record<string, string | number>>;

export interface Page {
  readonly rows: readonly object[];
  /** The JSON answer. Default: the rows. */
  readonly body?: unknown;
  /** The parameters of the next page; absent on the last page. */
  readonly next?: Sent | undefined;
  /** Why the list ends early. If set, a file is aborted. */
  readonly fault?: string | undefined;
}

/** A page of a list that is sorted newest first. */
export function newestPage(rows: readonly { readonly seq: number }[], limit: number): Page {
  const last = rows.at(-1);
  return { rows, next: last && rows.length === limit ? { before: last.seq } : undefined };
}

interface List<Pattern extends string, Query extends z.ZodObject, Path extends PathSchemas> {
  readonly pattern: Pattern;
  readonly summary: string;
  readonly answers?: string;
  readonly path?: Path;
  readonly query?: Query;
  /** The schema of a row. Its keys are the columns of the file. */
  readonly row?: z.ZodObject;
  /** The columns of the file, if `row` is absent. */
  readonly columns?: readonly string[];
  /** The schema of the JSON answer, if it is not a list of rows. */
  readonly answer?: z.ZodType;
  readonly page: (request: Parsed<AdminRequest, z.ZodUnknown, Query, NamesIn<Pattern>, Path>) => Page | Promise<Page>;
  /** Query parameters with which the pages of a file are read, where they differ from the defaults. */
  readonly filePage?: Partial<z.output<Query>>;
}

/**
 * Creates the route of a list. A file contains the complete list, unless `limit` is given. JSON contains one page; the
 * header `Link` has the address of the next page.
 */
export function listRoute<
  const Pattern extends string,
  Query extends z.ZodObject = typeof nothing,
  Path extends PathSchemas = Record<never, never>,
>(list: List<Pattern, Query, Path>): AdminRoute {
  const { pattern, path, summary, answers, row, page, filePage } = list;
  const { columns = Object.keys(row?.shape ?? {}), answer = row && z.array(row) } = list;
  const query = (list.query ?? nothing).extend({ format });
  return route({
    endpoint: `GET ${pattern}`,
    needs: "view",
    summary,
    ...(answers !== undefined && { answers }),
    ...(path !== undefined && { path }),
    ...(answer !== undefined && { answer }),
    columns,
    query,
    handle: async (request) => {
      const { format: wanted, ...own } = request.query;
      const isWhole = wanted === "csv" && !request.search.has("limit");
      const first = { ...request, query: { ...own, ...(isWhole && filePage) } as z.output<Query> };
      if (wanted === "json") {
        const { rows, body = rows, next } = await page(first);
        return ok(body, next === undefined ? [] : ["Link", linkTo(pattern, request, next)]);
      }
      const giveBack = PLACES.take();
      if (giveBack === undefined)
        throw new Rejection(503, "BUSY", "Too many CSV exports are running. Try again in a few seconds.");
      try {
        const lines = fileOf(await page(first), { columns, isWhole, after: (next) => page(after(query, first, next)) });
        return csv(withEnd(lines, giveBack), fileName(pattern, request.path));
      } catch (error) {
        giveBack();
        throw error;
      }
    },
  });
}

function after<Request extends { readonly query: object }>(query: z.ZodType, request: Request, next: Sent): Request {
  const read = parseWith(query, next) as Readonly<Record<string, unknown>>;
  const changed = Object.fromEntries(Object.keys(next).map((name) => [name, read[name]]));
  return { ...request, query: { ...request.query, ...changed } };
}

type Named = Pick<AdminRequest, "search"> & { readonly path: Readonly<Record<string, unknown>> };

/** The Link header (RFC 8288) with the address of the next page. */
function linkTo(pattern: string, { path, search }: Named, next: Sent): string {
  const address = pattern.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const sent = new URLSearchParams(search);
  for (const [name, value] of Object.entries(next)) sent.set(name, String(value));
  return `<${address}?${sent.toString()}>; rel="next"`;
}

interface File {
  readonly columns: readonly string[];
  readonly isWhole: boolean;
  readonly after: (next: Sent) => Page | Promise<Page>;
}

async function* fileOf(first: Page, { columns, isWhole, after }: File): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(columns));
  let written = 0;
  for (let page = first; ; page = await after(page.next)) {
    for (let from = 0; from < page.rows.length; from += LIST_LIMITS.rowsATurn) {
      const rows = page.rows.slice(from, from + LIST_LIMITS.rowsATurn) as readonly Row[];
      written += rows.length;
      if (written > LIST_LIMITS.maxFileRows) throw new Error(`the list has more than ${LIST_LIMITS.maxFileRows} rows`);
      yield Buffer.from(csvLines(rows, columns));
    }
    if (page.fault !== undefined) throw new Error(`the list is incomplete: ${page.fault}`);
    if (page.next === undefined || !isWhole) return;
  }
}

const csv = (stream: AsyncIterable<Uint8Array>, name: string): Answer => ({
  ...streamed(stream, CSV_TYPE),
  fileName: `${name}.csv`,
});

/** File name of a list: `accounts-100-keys` for `/v1/accounts/:account/keys` of account 100. */
function fileName(pattern: string, path: Named["path"]): string {
  const parts = pattern.split("/").slice(2);
  const named = parts.map((part) => (part.startsWith(":") ? String(path[part.slice(1)]) : part));
  return named.map((part) => part.replaceAll(/[^A-Za-z0-9.-]+/g, "-")).join("-");
}
