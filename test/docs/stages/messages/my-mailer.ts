/** A message as nodemailer takes it. */
interface Mail {
  readonly from: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}

/** All messages that were sent. */
export const mails: Mail[] = [];

export const mailer = {
  sendMail: async (mail: Mail): Promise<void> => void mails.push(mail),
};
