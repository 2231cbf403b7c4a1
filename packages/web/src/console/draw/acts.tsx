/** The buttons of a page's routes, from the table of routes. */
import { consoleButtons, consoleSays } from "../../words/words.ts";
import type { Desk, Wish } from "../desk.ts";
import { mayDo } from "../rights.ts";
import { buttonsOn, type PageName, type RoutePlace, ROUTES } from "../routes.ts";

interface Props {
  readonly desk: Desk;
  readonly page: PageName;
  readonly on: RoutePlace["on"];
  readonly given?: Readonly<Record<string, string>>;
  /** Bodies as things stand, by the key of the route. Undefined: not known yet, and until then nobody changes it. */
  readonly now?: Readonly<Record<string, unknown>>;
  /** What forms begin from, where that is not how things stand. */
  readonly starts?: Readonly<Record<string, unknown>>;
  /** As in `Wish`, by the key of the route. */
  readonly fixed?: Readonly<Record<string, NonNullable<Wish["fixed"]>>>;
  readonly acts?: Readonly<Record<string, NonNullable<Wish["act"]>>>;
  /** Labels of buttons that are not the route's, by the key of the route. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Routes that make no sense as things stand, or have their button elsewhere on the page. */
  readonly hidden?: readonly string[];
}

export function Acts({ desk, page, on, given = {}, hidden = [], labels = {}, ...bodies }: Props) {
  const keys = buttonsOn(page, on).filter((key) => mayDo(desk, key) && !hidden.includes(key));
  return (
    <div class="acts" role="group" aria-label={consoleSays.actions}>
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          class={`button ${ROUTES[key]?.isGrave === true ? "grave" : ""}`}
          data-route={key}
          disabled={isUnknown(key, bodies.now)}
          onClick={() => {
            const title = labels[key];
            desk.wish.value = { ...wishOf(key, given, bodies), ...(title !== undefined && { title }) };
          }}
        >
          {labels[key] ?? consoleButtons[key] ?? key}
        </button>
      ))}
    </div>
  );
}

const isUnknown = (key: string, now: Props["now"] = {}): boolean => key in now && now[key] === undefined;

function wishOf(
  key: string,
  given: Wish["given"],
  { now = {}, starts = {}, fixed = {}, acts = {} }: Pick<Props, "now" | "starts" | "fixed" | "acts">,
): Wish {
  const [body, start, known, act] = [now[key], starts[key], fixed[key], acts[key]];
  return {
    ...{ key, given },
    ...(body !== undefined && { now: body }),
    ...(start !== undefined && { start }),
    ...(known !== undefined && { fixed: known }),
    ...(act !== undefined && { act }),
  };
}
