/** Normalizes the phone numbers of candidates. */
export interface PhoneNumbers {
  /**
   * Returns the number in E.164 (`+14155550123`), or null if it is not possible or has an extension.
   *
   * @param country - the country of the job, as an ISO 3166 code or English name, for numbers without a country code.
   */
  normalize(phone: string, country: string): string | null;
}
