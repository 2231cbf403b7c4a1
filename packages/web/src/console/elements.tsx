/** Elements of console pages: action buttons, links, lists, filter fields, long texts and small charts. */
import { consoleButtons, consoleSays } from "../words/words.ts";
import { type Context, mayDo, type OpenForm } from "./context.ts";
import { buttonsOn, type PageName, type RoutePlace, ROUTES } from "./routes.ts";
import type { ComponentChildren } from "preact";
import { hashOf, type Wanted } from "./place.ts";
import { refusalOf } from "../pages/request.ts";
import { List as AnyList, type ListProps } from "../pages/pane.tsx";
import { saveBlob } from "../pages/browser.ts";
import type { Sent } from "./admin-client.ts";
import { useSignal } from "@preact/signals";
import { HEIGHT, linesOf, WIDTH } from "../pages/svg-paths.ts";

interface ActionProps {
  readonly context: Context;
  readonly page: PageName;
  readonly on: RoutePlace["on"];
  readonly given?: Readonly<Record<string, string>>;
  /** Current bodies, by route key. A body that is undefined is not loaded yet, so no change of it is offered. */
  readonly now?: Readonly<Record<string, unknown>>;
  /** Initial bodies of forms, where they differ from the current ones. */
  readonly starts?: Readonly<Record<string, unknown>>;
  /** As in `OpenForm`, by route key. */
  readonly fixed?: Readonly<Record<string, NonNullable<OpenForm["fixed"]>>>;
  readonly actions?: Readonly<Record<string, NonNullable<OpenForm["action"]>>>;
  /** Button labels that differ from the route's, by route key. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Routes that do not apply in the current state, or have their button elsewhere on the page. */
  readonly hidden?: readonly string[];
}

export function ActionButtons({ context, page, on, given = {}, hidden = [], labels = {}, ...bodies }: ActionProps) {
  const keys = buttonsOn(page, on).filter((key) => mayDo(context, key) && !hidden.includes(key));
  return (
    <div class="acts" role="group" aria-label={consoleSays.actions}>
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          class={`button ${ROUTES[key]?.isDestructive === true ? "grave" : ""}`}
          data-route={key}
          disabled={isUnknown(key, bodies.now)}
          onClick={() => {
            const title = labels[key];
            context.openForm.value = { ...openFormOf(key, given, bodies), ...(title !== undefined && { title }) };
          }}
        >
          {labels[key] ?? consoleButtons[key] ?? key}
        </button>
      ))}
    </div>
  );
}

const isUnknown = (key: string, now: ActionProps["now"] = {}): boolean => key in now && now[key] === undefined;

function openFormOf(
  key: string,
  given: OpenForm["given"],
  { now = {}, starts = {}, fixed = {}, actions = {} }: Pick<ActionProps, "now" | "starts" | "fixed" | "actions">,
): OpenForm {
  const [body, start, known, action] = [now[key], starts[key], fixed[key], actions[key]];
  return {
    ...{ key, given },
    ...(body !== undefined && { now: body }),
    ...(start !== undefined && { start }),
    ...(known !== undefined && { fixed: known }),
    ...(action !== undefined && { action }),
  };
}

export function Link({ to, children, class: name = "" }: { to: Wanted; children: ComponentChildren; class?: string }) {
  return (
    <a class={name} href={hashOf(to)}>
      {children}
    </a>
  );
}

/** Lower numbers are house accounts, which have no page. */
const FIRST_CUSTOMER = 100;

export function AccountLink({ account }: { account: number | null }) {
  if (account === null) return null;
  return account < FIRST_CUSTOMER ? (
    <span class="muted">{account}</span>
  ) : (
    <Link to={toAccount(account)}>{account}</Link>
  );
}

export const toAccount = (account: string | number): Wanted => ({ page: "accounts", subject: String(account) });

interface ConsoleListProps<Row> extends ListProps<Row> {
  readonly context: Context;
  readonly name: string;
  /** Set if the node offers the complete list as CSV. */
  readonly whole?: { readonly path: string; readonly query?: Sent["query"] };
}

export function List<Row>({ context, whole, ...list }: ConsoleListProps<Row>) {
  // Never rejects.
  const saveWhole = async ({ path, query = {} }: NonNullable<ConsoleListProps<Row>["whole"]>): Promise<void> => {
    try {
      saveBlob(`${list.name}.csv`, await context.admin.askFile(path, { query: { ...query, format: "csv" } }));
    } catch (error) {
      context.say("bad", refusalOf(error));
    }
  };
  return <AnyList {...list} onSaveWhole={whole === undefined ? undefined : () => void saveWhole(whole)} />;
}

export function LongText({ text }: { text: string }) {
  const isWhole = useSignal(false);
  if (text === "") return null;
  return (
    <button
      type="button"
      class={`details ${isWhole.value ? "whole" : ""}`}
      aria-expanded={isWhole.value}
      onClick={() => {
        isWhole.value = !isWhole.value;
      }}
    >
      {text}
    </button>
  );
}

interface FilterFieldProps {
  readonly label: string;
  /** The placeholder; the label if absent. */
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
