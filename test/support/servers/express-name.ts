/**
 * The name of the installed Express. `npm run test:projects` runs the tests of Express with version 4 too. The verifier's
 * tests load this file without the library's sources.
 */
export const EXPRESS = `Express ${process.env.EXPRESS ?? '5'}`;
