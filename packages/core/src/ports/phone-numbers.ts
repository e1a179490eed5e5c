/** Normalizes the phone numbers of candidates. */
export interface PhoneNumbers {
  /**
   * Returns E.164, or null if not possible or with an extension.
   * @param country - the job's country, an ISO 3166 code or English name, for numbers without a code.
   */
  normalize(phone: string, country: string): string | null;
}
