/** Parts of a larger value as the text of a field. */
import type { TypedText } from "../../panels/controls.tsx";

export const cell = (text: string, set: (text: string) => void): TypedText => ({
  get value() {
    return text;
  },
  set value(typed) {
    set(typed);
  },
});
