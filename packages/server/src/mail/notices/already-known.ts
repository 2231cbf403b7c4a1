import type { NoticeWriter } from "./notice-parts.ts";

/** A stranger wanted an account with this address. The page that was asked says nothing of it. */
export const alreadyKnown: NoticeWriter = (_notice, { to }) => ({
  subject: "You have an account already",
  lines: [
    "Somebody, perhaps you, wanted to open an account with this address, which has one already. Nothing was changed.",
    "If you have forgotten your password, ask for another where you sign in:",
    "",
    to.home(true),
  ],
});
