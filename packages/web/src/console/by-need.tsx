/** Components whose code is loaded when they are first shown, so that the first visit stays small. */
import { signal } from "@preact/signals";
import { type ComponentType, createElement } from "preact";
import { useEffect } from "preact/hooks";
import { consoleWords } from "../words/words.ts";
import type { Context } from "./context.ts";

/**
 * A component that renders nothing until `load` has returned it. If its code cannot be loaded, for example because the
 * node is down, a notice reports it, and the next attempt loads again.
 */
export function byNeed<Props extends { readonly context: Pick<Context, "notify"> }>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => preact.JSX.Element | null {
  const loaded = signal<ComponentType<Props> | null>(null);
  return function ByNeed(props: Props) {
    const { notify } = props.context;
    useEffect(() => {
      if (loaded.value !== null) return;
      load().then(
        (component) => (loaded.value = component),
        () => notify("bad", consoleWords.unreachable),
      );
    }, [notify]);
    return loaded.value === null ? null : createElement(loaded.value, props);
  };
}
