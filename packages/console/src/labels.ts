import { FIELD_LABELS } from '@partner-hiring/core';

const { application, candidate, job } = FIELD_LABELS;

/**
 * The labels that several pages of console and portal have: of columns, facts, fields of forms, headings and links. A label of one
 * page alone stands there. The labels of the library's fields are those of `FIELD_LABELS`.
 */
export const LABELS = {
  application,
  candidate,
  job,

  /** One object, such as the column or the fact with its name. */
  one: {
    act: 'Act',
    application: 'Application',
    attempt: 'Attempt',
    candidate: 'Candidate',
    company: application.companyId,
    delivery: 'Delivery',
    endpoint: 'Endpoint',
    event: 'Event',
    inbox: 'Inbox',
    job: application.jobId,
    /** A key of a partner that the page is about. */
    key: 'Key',
    object: 'Object',
    operation: 'Operation',
    partner: 'Partner',
    partnerKey: application.keyId,
    request: 'Request',
  },

  /** Many objects: the name of their list in its title, in links to it, and beside counts. */
  all: {
    alerts: 'Alerts',
    applications: 'Applications',
    attempts: 'Attempts',
    audit: 'Audit',
    companies: 'Companies',
    deadLetters: 'Dead letters',
    deliveries: 'Deliveries',
    documentation: 'Documentation',
    endpoints: 'Endpoints',
    events: 'Events',
    failingEndpoints: 'Failing endpoints',
    jobs: 'Jobs',
    jobsAndCompanies: 'Jobs and companies',
    keys: 'Keys',
    objects: 'Objects',
    operations: 'Operations',
    partners: 'Partners',
    partnersAndKeys: 'Partners and keys',
    pausedEndpoints: 'Paused endpoints',
    requests: 'Requests',
    runningOperations: 'Running operations',
    totals: 'Totals',
    webhooks: 'Webhooks',
    workersAlive: 'Workers alive',
  },

  // Fields that objects of several kinds have.
  id: application.id,
  name: 'Name',
  newName: 'New name',
  state: job.state,
  environment: 'Environment',
  companyId: 'Company id',
  time: 'Time',
  addedAt: 'Added',
  createdAt: 'Created',
  issuedAt: 'Issued',
  publishedAt: 'Published',
  lastUsedAt: 'Last used',
  startedAt: 'Started',
  startedBy: 'Started by',
  endedAt: 'Ended',
  progress: 'Progress',
  /** The names of the first objects that an act on many would change. */
  firstOnes: 'The first of them',
  leftOut: 'Left out',
  lastError: 'Last error',
  reason: 'Reason',
  optionalReason: 'Reason (optional)',
  /** The answer of one side to the other: of the API to a request, of a receiver to an attempt. */
  answer: 'Answer',
  /** How long a request, an attempt or a run lasted. */
  took: 'Took',
  /** The time range of a filter. */
  since: 'From (UTC)',
  until: 'Before (UTC)',

  act: {
    change: 'Change',
    command: 'Command',
    through: 'Through',
    who: 'Who',
  },
  delivery: {
    deliveredAt: 'Delivered',
    details: 'Details',
    eventId: 'Event id',
    lastFailure: 'Last failure',
    nextAttempt: 'Next attempt',
    occurredAt: 'Occurred',
    resent: 'Resent',
    type: 'Type',
  },
  endpoint: {
    added: 'Endpoint added',
    due: 'Due now',
    failedAttempts: 'Failed attempts',
    failingSince: 'Failing since',
    failuresInARow: 'Failed attempts in a row',
    held: 'Held by a pause',
    lastFailure: 'Last failure',
    lastSuccess: 'Last success',
    newUrl: 'New URL',
    /** The key whose endpoint a row is about. */
    of: 'Endpoint of',
    paused: 'Paused',
    scheduled: 'Scheduled for later',
    signingSecret: 'Signing secret',
    testResult: 'Result of the test',
    testWaits: ' The test event is sent. The endpoint has 30 seconds to answer.',
    url: 'URL',
  },
  key: {
    apiKey: 'API key',
    oldSecrets: 'Old secrets',
    secrets: 'Secrets',
  },
  partner: {
    add: 'Add a partner',
    baseUrl: 'Base URL of the API',
    support: 'Support',
  },
  request: {
    failedFields: 'Fields that failed',
    fields: 'Fields',
    id: 'Request id',
    /** How many requests of a flood a row stands for. */
    standsFor: 'Stands for',
  },

  /** The button of an act that console and portal, or several pages, offer. */
  button: {
    closeAllJobs: 'Close all open jobs…',
    grantAccess: 'Grant access',
    pause: 'Pause',
    rename: 'Rename',
    renameAsk: 'Rename…',
    resend: 'Resend',
    resume: 'Resume',
    revokeAccess: 'Revoke access',
    rotate: 'Rotate',
    rotateSecret: 'Rotate the signing secret',
    stopAtOnce: 'Stop them now',
    tryNow: 'Try now',
  },
} as const;
