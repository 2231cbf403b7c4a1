/** Components of console pages: action buttons, links, columns, lists, filter fields, long texts and small charts. */
import { saveBlob } from "../panels/save-table.ts";
import { Button } from "../panels/controls.tsx";
import { consoleApprovals, consoleButtons, consoleWords } from "../words/words.ts";
import {
  type Context,
  isForOperators,
  mayDo,
  type OpenForm,
  type Outcome,
  PAGE_ROWS,
  type Question,
  useFetched,
  usePaged,
} from "./context.ts";
import { buttonsOn, type PageName, type RoutePlace, ROUTES } from "./routes.ts";
import type { ComponentChildren } from "preact";
import { hashOf, setParams, type Wanted } from "./place.ts";
import { ColumnsMenu } from "./columns-menu.tsx";
import { shownColumns, tableName } from "./table-choices.ts";
import { refusalOf } from "../pages/request.ts";
import { List as AnyList, type ListProps, MoreRows } from "../pages/pane.tsx";
import type { Column } from "../panels/data-table.tsx";
import type { Sent } from "./admin-client.ts";
import { useSignal } from "@preact/signals";
import { BLANK } from "../exact/shown.ts";
import { HEIGHT, linesOf, WIDTH } from "../panels/svg-paths.ts";

export interface ActionProps {
  readonly context: Context;
  readonly page: PageName;
  readonly on: RoutePlace["on"];
  readonly given?: Readonly<Record<string, string>>;
  /** Current values, by route key. While a value is undefined, it is not loaded, and its button is not shown. */
  readonly now?: Readonly<Record<string, unknown>>;
  /** Initial values of forms, by route key, if they differ from the current ones. */
  readonly starts?: Readonly<Record<string, unknown>>;
  /** `OpenForm.fixed`, by route key. */
  readonly fixed?: Readonly<Record<string, NonNullable<OpenForm["fixed"]>>>;
  /** `OpenForm.without`, by route key. */
  readonly without?: Readonly<Record<string, readonly string[]>>;
  readonly actions?: Readonly<Record<string, NonNullable<OpenForm["action"]>>>;
  /** Button labels that differ from the route's label, by route key. */
  readonly labels?: Readonly<Record<string, string>>;
  /** `OpenForm.outcome`, by route key. */
  readonly outcomes?: Readonly<Record<string, Outcome>>;
  /** Keys of routes that do not apply in the current state, or whose button is elsewhere on the page. */
  readonly hidden?: readonly string[];
  /** The action to take next, whose button is the main one. */
  readonly next?: string;
  /** Keys of actions on this object that need two operators. */
  readonly forOperators?: readonly string[];
}

export function ActionButtons({ context, page, on, given = {}, hidden = [], labels = {}, ...rest }: ActionProps) {
  const { next, forOperators = [], ...bodies } = rest;
  const keys = buttonsOn(page, on).filter((key) => mayDo(context, key) && !hidden.includes(key));
  const isToken = context.me.value?.isToken === true;
  const off = keys.filter((key) => isForOperators(context, key) || (isToken && forOperators.includes(key)));
  return (
    <div class="acts" role="group" aria-label={consoleWords.actions}>
      {keys.map((key) => (
        <Button
          key={key}
          class={`button ${ROUTES[key]?.isDestructive === true ? "grave" : ""} ${key === next ? "primary" : ""}`}
          data-route={key}
          disabled={isUnknown(key, bodies.now) || off.includes(key)}
          onClick={() => {
            const title = labels[key];
            context.openForm.value = { ...openFormOf(key, given, bodies), ...(title !== undefined && { title }) };
          }}
        >
          {labels[key] ?? consoleButtons[key] ?? key}
        </Button>
      ))}
      {off.length > 0 && (
        <p class="muted">
          {off.map((key) => labels[key] ?? consoleButtons[key]).join(", ")}: {consoleApprovals.tokenCannot}
        </p>
      )}
    </div>
  );
}

const isUnknown = (key: string, now: ActionProps["now"] = {}): boolean => key in now && now[key] === undefined;

export function openFormOf(
  key: string,
  given: OpenForm["given"],
  bodies: Pick<ActionProps, "now" | "starts" | "fixed" | "without" | "actions" | "outcomes">,
): OpenForm {
  const { now = {}, starts = {}, fixed = {}, without = {}, actions = {}, outcomes = {} } = bodies;
  const [body, start, known, action] = [now[key], starts[key], fixed[key], actions[key]];
  const outcome = outcomes[key];
  return {
    ...{ key, given },
    ...(body !== undefined && { now: body }),
    ...(start !== undefined && { start }),
    ...(known !== undefined && { fixed: known }),
    ...(without[key] !== undefined && { without: without[key] }),
    ...(action !== undefined && { action }),
    ...(outcome !== undefined && { outcome }),
  };
}

export function Link({ to, children, class: name = "" }: { to: Wanted; children: ComponentChildren; class?: string }) {
  return (
    <a class={name} href={hashOf(to)}>
      {children}
    </a>
  );
}

interface FormButtonProps {
  readonly context: Context;
  readonly form: OpenForm;
  /** The accessible name, if the visible text does not name the object. */
  readonly label?: string;
  readonly class?: string;
  readonly "data-route"?: string;
  readonly children: ComponentChildren;
}

/** A button that opens the form of an action. Renders nothing if the operator may not carry out the action. */
export function FormButton({ context, form, label, class: name = "link", ...button }: FormButtonProps) {
  if (!mayDo(context, form.key)) return null;
  const isOff = isForOperators(context, form.key);
  return (
    <Button
      {...button}
      {...(isOff && { disabled: true, title: consoleApprovals.tokenCannot })}
      class={name}
      aria-label={label}
      onClick={() => (context.openForm.value = form)}
    />
  );
}

/** The lowest number of a customer's account. Lower numbers are house accounts, which have no page. */
const FIRST_CUSTOMER = 100;

function AccountLink({ account }: { account: number | null }) {
  if (account === null) return null;
  return account < FIRST_CUSTOMER ? (
    <span class="muted">{account}</span>
  ) : (
    <Link to={toAccount(account)}>{account}</Link>
  );
}

/** The title of an object's page, with a link to the list. */
export function Heading({ page, title, of }: { page: PageName; title: string; of: string }) {
  return (
    <h1>
      <Link to={{ page }}>{title}</Link> / {of}
    </h1>
  );
}

export const toAccount = (account: string | number): Wanted => ({ page: "accounts", subject: String(account) });

// Columns of lists.

/** A column whose cells link to the page of the named object. */
export function linked<Row>(page: PageName, label: string, text: (row: Row) => string): Column<Row> {
  return { label, text, show: (row) => <Link to={{ page, subject: text(row) }}>{text(row)}</Link> };
}

export function ofAccount<Row extends { readonly accountId: number | null }>(label: string): Column<Row> {
  return {
    label,
    text: ({ accountId }) => String(accountId ?? ""),
    show: ({ accountId }) => <AccountLink account={accountId} />,
  };
}

/** A column of texts that are shortened until clicked. */
export function expandable<Row>(label: string, text: (row: Row) => string): Column<Row> {
  return { label, text, show: (row) => <LongText text={text(row)} /> };
}

export function details<Row>(label: string, text: (row: Row) => string): Column<Row> {
  return {
    ...{ label, text },
    show: (row) =>
      text(row) === "" ? (
        BLANK
      ) : (
        <span class="details" title={text(row)}>
          {text(row)}
        </span>
      ),
  };
}

export function code<Row>(label: string, text: (row: Row) => string): Column<Row> {
  return { label, text, show: (row) => <code>{text(row)}</code> };
}

export function addressAndTag<Row extends { readonly address: string; readonly tag: string }>(
  label: string,
): Column<Row> {
  return {
    label,
    text: ({ address, tag }) => `${address} ${tag}`.trim(),
    show: ({ address, tag }) => (
      <code class="address" title={address}>
        {address}
        {tag !== "" && ` · ${tag}`}
      </code>
    ),
  };
}

// Lists of rows.

interface ConsoleListProps<Row> extends ListProps<Row> {
  readonly context: Context;
  readonly name: string;
  /** The path of the complete list as CSV, if the node offers it. */
  readonly whole?: { readonly path: string; readonly query?: Sent["query"] };
}

export function List<Row>({ context, whole, ...list }: ConsoleListProps<Row>) {
  // The promise never rejects.
  const saveWhole = async ({ path, query = {} }: NonNullable<ConsoleListProps<Row>["whole"]>): Promise<void> => {
    try {
      saveBlob(`${list.name}.csv`, await context.admin.askFile(path, { query: { ...query, format: "csv" } }));
    } catch (error) {
      context.notify("bad", refusalOf(error));
    }
  };
  const { tables, place } = context;
  const table = tableName(list.name);
  // The filter text is in the page's address. The table that the page is named after has the short parameter.
  const find = table === place.value.page ? "find" : `find-${table}`;
  return (
    <AnyList
      {...list}
      columns={shownColumns(list.columns, tables.hidden.value[table] ?? [])}
      tools={
        <>
          {list.tools}
          {list.rows?.length !== 0 && (
            <ColumnsMenu tables={tables} name={table} title={list.title} columns={list.columns} />
          )}
        </>
      }
      find={{
        text: place.value.params[find] ?? "",
        onText: (text) => setParams(place.value, { [find]: text }),
      }}
      onSaveWhole={whole === undefined ? undefined : () => void saveWhole(whole)}
    />
  );
}

interface FetchedListProps<Row> extends Omit<ConsoleListProps<Row>, "rows" | "denied" | "whole"> {
  readonly path: string;
  readonly query?: NonNullable<Sent["query"]>;
  /** Maximum number of rows shown. The file contains all rows. */
  readonly limit?: number;
  /** The interval of requests, as for `useFetched`. */
  readonly everyMs?: number;
}

/** The list at a path of the admin API, which can also return it as CSV. */
export function FetchedList<Row>({ path, query = {}, limit, everyMs, ...list }: FetchedListProps<Row>) {
  const { value, denied } = useFetched<readonly Row[]>(list.context, path, {
    query: { ...query, ...(limit !== undefined && { limit }) },
    ...(everyMs !== undefined && { everyMs }),
  });
  return <List {...list} rows={value} denied={denied} whole={{ path, query }} />;
}

interface PagedListProps<Answer, Row> extends Omit<FetchedListProps<Row>, "limit" | "everyMs" | "more"> {
  /** Converts a response to a page, as for `usePaged`. */
  readonly read: Question<Answer, Row>["read"];
  readonly version?: string;
}

/** A list of the admin API that is fetched page by page. */
export function PagedList<Answer, Row>({ path, query = {}, read, version, ...list }: PagedListProps<Answer, Row>) {
  const question = { path, query: { ...query, limit: PAGE_ROWS }, read, version };
  const { rows, denied, next, more } = usePaged(list.context, question);
  return (
    <List {...list} rows={rows} denied={denied} whole={{ path, query }} more={<MoreRows next={next} more={more} />} />
  );
}

function LongText({ text }: { text: string }) {
  const isWhole = useSignal(false);
  if (text === "") return null;
  return (
    <Button
      class={`details ${isWhole.value ? "whole" : ""}`}
      aria-expanded={isWhole.value}
      onClick={() => (isWhole.value = !isWhole.value)}
    >
      {text}
    </Button>
  );
}

interface FilterFieldProps {
  readonly label: string;
  /** The placeholder. If absent, the label is used. */
  readonly hint?: string;
  readonly isNumber?: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
}

export function FilterField({ label, hint = label, isNumber = false, text, onText }: FilterFieldProps) {
  return (
    <input
      type="text"
      inputMode={isNumber ? "numeric" : "text"}
      aria-label={label}
      placeholder={hint}
      autocapitalize="off"
      spellcheck={false}
      value={text}
      onInput={({ currentTarget: { value } }) => onText(value)}
    />
  );
}

export function Spark({ hour, label }: { hour: readonly (number | null)[]; label: string }) {
  const path = linesOf(hour);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="base" d={`M0 ${HEIGHT - 1}H${WIDTH}`} />
      {path !== "" && <path class="line" d={path} />}
    </svg>
  );
}
