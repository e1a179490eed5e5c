import type { ReactNode } from 'react';

export const metadata = { title: 'Candidates' };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'system-ui', margin: '2rem' }}>{children}</body>
    </html>
  );
}
