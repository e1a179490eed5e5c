import type { FormQuestion, NewJob } from '@partner-hiring/core';

/** A form with most question types. */
const NURSE_FORM: readonly FormQuestion[] = [
  { key: 'licensed', label: 'Do you hold a current RN license?', type: 'boolean', required: true },
  { key: 'license_number', label: 'License number', type: 'short_text', required: true },
  { key: 'years', label: 'Years of bedside experience', type: 'number', required: false },
  { key: 'available_from', label: 'Earliest start', type: 'date', required: false },
  {
    key: 'shift',
    label: 'Preferred shift',
    type: 'single_select',
    required: true,
    options: [
      { value: 'day', label: 'Day' },
      { value: 'night', label: 'Night' },
    ],
  },
  {
    key: 'units',
    label: 'Units you have worked in',
    type: 'multi_select',
    required: false,
    options: [
      { value: 'er', label: 'Emergency' },
      { value: 'icu', label: 'Intensive care' },
      { value: 'med_surg', label: 'Medical-surgical' },
    ],
  },
  { key: 'profile', label: 'A link to your profile', type: 'url', required: false },
];

const RENO = { city: 'Reno', state: 'NV', country: 'US' };
const PORTLAND = { city: 'Portland', state: 'OR', country: 'US' };

/**
 * The jobs of the example. The partner cannot see some of them: closed jobs, internal jobs, and jobs of a
 * company without access.
 */
export const SEED_JOBS: readonly (NewJob & { readonly id: `job_${string}` })[] = [
  {
    id: 'job_harbor_picker',
    companyId: 'co_harbor',
    title: 'Warehouse picker, nights',
    location: RENO,
    compensation: { min: 19.5, max: 23, currency: 'USD' },
    schedule: 'full_time',
    headcount: { total: 12, filled: 4 },
  },
  {
    id: 'job_harbor_driver',
    companyId: 'co_harbor',
    title: 'Delivery driver',
    location: RENO,
    compensation: { min: 22, max: 27.5, currency: 'USD' },
    schedule: 'part_time',
    applicationFormSchema: [
      { key: 'license', label: 'Do you hold a driving license?', type: 'boolean', required: true },
    ],
  },
  {
    id: 'job_harbor_clerk',
    companyId: 'co_harbor',
    title: 'Inventory clerk',
    location: RENO,
    compensation: { min: 21, currency: 'USD' },
    state: 'closed',
  },
  {
    id: 'job_harbor_lead',
    companyId: 'co_harbor',
    title: 'Shift lead',
    location: RENO,
    compensation: { min: 28, max: 33, currency: 'USD' },
    internalOnly: true,
  },
  {
    id: 'job_pinewood_nurse',
    companyId: 'co_pinewood',
    title: 'Registered nurse',
    location: PORTLAND,
    compensation: { min: 44, max: 58, currency: 'USD' },
    schedule: 'full_time',
    headcount: { total: 3 },
    applicationFormSchema: NURSE_FORM,
  },
  {
    id: 'job_bluebird_barista',
    companyId: 'co_bluebird',
    title: 'Barista',
    location: PORTLAND,
    compensation: { min: 17, max: 20, currency: 'USD' },
    schedule: 'part_time',
  },
];
