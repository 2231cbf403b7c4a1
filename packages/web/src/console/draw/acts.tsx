/** The buttons of a page's routes, from the table of routes. */
import { consoleActs, consoleSays } from "../../words/words.ts";
import type { Desk } from "../desk.ts";
import { buttonsOn, type PageName, type RoutePlace, ROUTES } from "../routes.ts";

interface Props {
  readonly desk: Desk;
  readonly page: PageName;
  readonly on: RoutePlace["on"];
  readonly given?: Readonly<Record<string, string>>;
  /** Bodies as things stand, by the key of the route. */
  readonly now?: Readonly<Record<string, unknown>>;
  /** What forms begin from, where that is not how things stand. */
  readonly starts?: Readonly<Record<string, unknown>>;
}

export function Acts({ desk, page, on, given = {}, now = {}, starts = {} }: Props) {
  const keys = buttonsOn(page, on).filter((key) => desk.operations.value.has(key));
  return (
    <div class="acts" role="group" aria-label={consoleSays.acts}>
      {keys.map((key) => (
        <button
          key={key}
          type="button"
          class={`button ${ROUTES[key]?.isGrave === true ? "grave" : ""}`}
          data-route={key}
          onClick={() => {
            const start = starts[key];
            const body = now[key];
            desk.wish.value = {
              key,
              given,
              ...(body !== undefined && { now: body }),
              ...(start !== undefined && { start }),
            };
          }}
        >
          {consoleActs[key] ?? key}
        </button>
      ))}
    </div>
  );
}
