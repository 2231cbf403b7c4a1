/** What stands around the customers' pages, and what the pages of letters say, in English. */
export const customerSays = {
  account: "Account",
  terminal: "Trade",
  publishedRoot: "Latest proof of liabilities",
  publicPart: "Public part of the proof",
  toSignIn: "Sign in",
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
  lost: "Forgot password",
  recovery: "Reset password",
  "cancel-recovery": "Cancel password reset",
  freeze: "Lock account",
} as const;

export const customerOutside = {
  signIn: "Sign in",
  demo: "This is a demo: its accounts are open to everyone.",
  signInAs: (name: string): string => `Sign in as ${name}`,
  email: "Email",
  password: "Password",
  bothNeeded: "Enter your email address and your password.",
  codeHelp: "The six-digit code from your authenticator app. Each code can be used once.",
  lost: "Forgot password?",
  signUp: "Open an account",
  signUpHelp: "We will email you a link with which you choose your password.",
  byInvitation: "Accounts on this exchange are opened by invitation. Ask the exchange's operator to invite you.",
  lostHelp:
    "We will email you a link. For your safety it works after a waiting time, and withdrawals are suspended for a while afterwards.",
  sendLetter: "Send email",
  emailNeeded: "Enter an email address.",
  emailSent: {
    "sign-up": (email: string): string => `We have sent an email to ${email}. Check your inbox.`,
    recovery: (email: string): string => `If an account exists for ${email}, we have sent an email. Check your inbox.`,
  },
  noLink: "This link is incomplete. Open it from the email again.",
  looking: "Loading …",
  // A new password.
  newPassword: "New password",
  passwordAgain: "Repeat the password",
  passwordHelp: "Use a long password, such as several words that only you would combine.",
  passwordLength: (least: number, most: number): string => `A password has ${least} to ${most} characters.`,
  passwordsDiffer: "The passwords do not match.",
  setPassword: "Set password",
  // An invitation.
  invitation: "Your invitation",
  invitedAs: (email: string): string => `This invitation is for ${email}. Choose a password to open your account.`,
  name: "Your name",
  accept: "Open account",
  // A recovery.
  recovery: "Reset password",
  recoveryHelp: "This ends all sessions and suspends withdrawals for a while.",
  recoveryWaits: (moment: string): string =>
    `This link works from ${moment}. Keep the email and open the link again then. If you did not request this, cancel it with the other link in the email.`,
  recovered: "Your password has been reset. Sign in with the new one.",
  cancelRecovery: "Cancel password reset",
  cancelRecoveryHelp:
    "If you did not request a new password, cancel the reset here: your current password stays valid.",
  cancelIt: "Cancel reset",
  recoveryCancelled: "The reset is cancelled. Your password has not changed.",
  // A freeze.
  freeze: "Lock account",
  freezeHelp:
    "If this was not you, lock your account: all sessions end, and trading and withdrawals stop until the exchange has spoken with you.",
  freezeIt: "Lock account now",
  frozen: "Your account is locked. Contact the exchange.",
} as const;
