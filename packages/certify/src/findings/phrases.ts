/** Headings of the webhook guide. */
export const DUTIES = 'What a receiver does';
export const VERIFIER = 'With the verifier';
export const BY_HAND = 'Without it';
export const RETRIES = 'Retries and pauses';

/** How most of what is wrong about signatures is mended. */
export const USE_VERIFIER = 'verifyWebhook of @partner-hiring/webhook-verifier does it right.';
