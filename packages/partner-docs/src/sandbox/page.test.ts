import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SANDBOX_PAGE_HEADERS, sandboxPage } from './sandbox-guide.js';

const PAGE = sandboxPage();
const HEADER_POLICY = SANDBOX_PAGE_HEADERS['Content-Security-Policy'];
const PAGE_POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(PAGE)?.[1] ?? '';

function directivesOf(policy: string): Readonly<Record<string, readonly string[]>> {
  const rules = policy.split('; ').map((rule) => rule.split(' '));
  return Object.fromEntries(rules.map(([name = '', ...sources]) => [name, sources]));
}

/** The hash of each such element, as browsers compute it. */
function sourcesOf(element: 'style' | 'script', page: string): readonly string[] {
  const elements = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`, 'g');
  return [...page.matchAll(elements)].map(([, text = '']) => {
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  });
}

describe('the content security policy', () => {
  it('allows its own style, its script for copying, an empty icon, and nothing else', () => {
    const [styles, scripts] = [sourcesOf('style', PAGE), sourcesOf('script', PAGE)];
    expect([styles.length, scripts.length]).toEqual([1, 1]);
    expect(directivesOf(HEADER_POLICY)).toEqual({
      'default-src': ["'none'"],
      'style-src': styles,
      'script-src': scripts,
      'img-src': ['data:'],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
  });

  it('is repeated in the page, without frame-ancestors, for hosts that send no headers', () => {
    const { 'frame-ancestors': _, ...others } = directivesOf(HEADER_POLICY);
    expect(directivesOf(PAGE_POLICY)).toEqual(others);
    expect(PAGE.indexOf(PAGE_POLICY)).toBeLessThan(PAGE.indexOf('<link'));
    expect(PAGE.indexOf(PAGE_POLICY)).toBeLessThan(PAGE.indexOf('<style>'));
  });

  it('blocks nothing that the page uses', () => {
    expect(PAGE).not.toMatch(/<script\s|\sstyle=|\son\w+=|<form|<base|<iframe|<object|url\(|@import/i);
    const addresses = [...PAGE.matchAll(/\s(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(['data:,']);
  });
});

it('tells browsers the content type', () => {
  expect(SANDBOX_PAGE_HEADERS).toMatchObject({
    'Content-Type': 'text/html; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
});
