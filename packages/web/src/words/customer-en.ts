/** What stands around the customers' pages, and what the pages of letters say, in English. */
export const customerSays = {
  account: "Account",
  terminal: "Trade",
  publishedRoot: "Root of the newest proof",
  publicPart: "Its public part",
  toSignIn: "To the sign-in",
  dismissed: "You were signed out. Sign in again.",
  // What keeps the account from something.
  held: (moment: string): string =>
    `Withdrawals are held until ${moment}: the password was set anew by a letter. Trading goes on.`,
  noTrading: "This account may not trade at present.",
  noWithdrawals: "This account may not withdraw at present. The venue knows more.",
  noDeposits: "Deposits of this account are not credited at present.",
  // Requests.
  noJson: (status: number): string => `HTTP ${status}, and no answer of the exchange.`,
  unreachable: "The exchange cannot be reached.",
  code: "Two-factor code",
  // Lists.
  none: "–",
} as const;

export const customerPages = {
  overview: "Overview",
  deposit: "Deposit",
  withdraw: "Withdraw",
  addresses: "Addresses",
  history: "History",
  "sub-accounts": "Sub-accounts",
  dust: "Small balances",
  fees: "Fees",
  keys: "API keys",
  security: "Security",
  statements: "Statements",
  proof: "Proof",
  "sign-up": "Open an account",
  invitation: "Invitation",
  lost: "Lost password",
  recovery: "A new password",
  "cancel-recovery": "Stop the new password",
  freeze: "Freeze the account",
} as const;

export const customerOutside = {
  signIn: "Sign in",
  email: "Mail address",
  password: "Password",
  bothNeeded: "Enter your mail address and your password.",
  codeHelp: "Six digits, from the app on your device. Each is good once.",
  lost: "Lost password",
  signUp: "Open an account",
  signUpHelp: "We send a letter with a link, by which you choose your password.",
  byInvitation: "This exchange opens accounts by invitation. Ask whoever runs it.",
  lostHelp:
    "We send a letter with a link. For your safety it works after a waiting time, and withdrawals are held for a while afterwards.",
  sendLetter: "Send the letter",
  emailNeeded: "Enter a mail address.",
  letterSent: (email: string): string =>
    `If ${email} can be written to for this, a letter is on its way. Look into your mail.`,
  noLink: "The link is not whole. Open it from the letter once more.",
  looking: "Looking it up …",
  // A new password.
  newPassword: "New password",
  passwordAgain: "The same again",
  passwordHelp: "Long is good: some words that you alone put together.",
  passwordLength: (least: number, most: number): string => `A password has ${least} to ${most} characters.`,
  passwordsDiffer: "The two are not the same.",
  setPassword: "Set the password",
  // An invitation.
  invitation: "Your invitation",
  invitedAs: (email: string): string => `It is for ${email}. Choose a password, and you are in.`,
  name: "Your name",
  accept: "Open my account",
  // A recovery.
  recovery: "A new password",
  recoveryHelp: "All sessions end with it, and withdrawals are held for a while.",
  recoveryWaits: (moment: string): string =>
    `The link works from ${moment} on. Keep the letter, and open the link again then. Whoever did not ask for this stops it by the other link of the letter.`,
  recovered: "The new password holds. Sign in with it.",
  cancelRecovery: "Stop the new password",
  cancelRecoveryHelp: "If it was not you who asked for a new password, stop it here: the present one stays.",
  cancelIt: "Stop it",
  recoveryCancelled: "It is stopped. Your password is as before.",
  // A freeze.
  freeze: "Freeze the account",
  freezeHelp:
    "Was it not you? Then freeze the account: nobody is signed in any more, and nothing can be withdrawn until the venue has spoken with you.",
  freezeIt: "Freeze it now",
  frozen: "The account is frozen. Write to the venue.",
} as const;
