/** Lets a partner in, and prints its key. */
import { partnerHiring } from './partner-hiring.js';
import { seed } from './seed.js';

await seed(partnerHiring);
await partnerHiring.close();
