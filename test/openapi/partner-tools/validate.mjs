/**
 * Imports the zod schemas that hey-api and orval generated, and prints what they accept or refuse wrongly. Runs with the Node of
 * this project: `node validate.mjs <hey-api's file> <orval's file> <values as JSON>`.
 */
const [heyFile, orvalFile, text] = process.argv.slice(2);
const hey = await import(heyFile);
const orval = await import(orvalFile);
const { pages, jobs, submissions, refused } = JSON.parse(text);

const GENERATED = [
  ['hey-api', hey.zListApplicationsResponse, hey.zListJobsResponse, hey.zSubmitApplicationBody],
  ['orval', orval.ListApplicationsResponse, orval.ListJobsResponse, orval.SubmitApplicationBody],
];

for (const [generator, page, jobPage, submission] of GENERATED) {
  for (const value of pages) expectAccepted(`${generator}, applications`, page, value);
  for (const value of jobs) expectAccepted(`${generator}, jobs`, jobPage, value);
  for (const value of submissions) expectAccepted(`${generator}, submission`, submission, value);
  for (const value of refused) {
    if (submission.safeParse(value).success) console.log(`${generator} accepts an invalid submission`);
  }
}

function expectAccepted(what, schema, value) {
  const { success, error } = schema.safeParse(value);
  if (!success) console.log(`${what}: ${JSON.stringify(error.issues)}`);
}
