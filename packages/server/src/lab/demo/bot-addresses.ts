/** How the mail addresses of all bots and agents end. */
export const BOT_ADDRESSES = "@bots.pricetime";
