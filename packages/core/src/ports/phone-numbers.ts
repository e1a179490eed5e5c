/** Normalizes the phone numbers of candidates. */
export interface PhoneNumbers {
  /**
   * Returns the number in E.164 format. Returns null if that is not possible or the number has an extension.
   * @param country - the country of the job, as an ISO 3166 code or English name. It applies to numbers
   *   without a country code.
   */
  normalize(phone: string, country: string): string | null;
}
