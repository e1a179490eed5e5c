import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the receivers. */
export const RECEIVERS = fileURLToPath(new URL('../../examples/receivers/', import.meta.url));

type CommandLine = readonly [command: string, args: readonly string[]];

/** How to check, build and start a receiver. */
export interface Language {
  readonly file: string;
  /** Prints the version. */
  readonly tool: CommandLine;
  readonly install: string;
  /** Matches the name of an imported module. */
  readonly imports: RegExp;
  readonly prepare: (folder: string) => readonly CommandLine[];
  readonly start: (folder: string) => CommandLine;
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  python: {
    file: 'receiver.py',
    tool: ['python3', ['--version']],
    install: 'apt-get install python3',
    imports: /^(?:import|from) (\S+)/gm,
    prepare: () => [],
    start: () => ['python3', ['-W', 'error', join(RECEIVERS, 'receiver.py')]],
  },
  go: {
    file: 'receiver.go',
    tool: ['go', ['version']],
    install: 'apt-get install golang-go',
    imports: /^\t"([^"]+)"$/gm,
    prepare: (folder) => [
      ['go', ['vet', 'receiver.go']],
      ['go', ['build', '-o', join(folder, 'receiver'), 'receiver.go']],
    ],
    start: (folder) => [join(folder, 'receiver'), []],
  },
  node: {
    file: 'receiver.mjs',
    tool: ['node', ['--version']],
    install: 'https://nodejs.org',
    imports: /^import .+ from '([^']+)';$/gm,
    prepare: () => [],
    start: () => ['node', [join(RECEIVERS, 'receiver.mjs')]],
  },
  php: {
    file: 'receiver.php',
    tool: ['php', ['--version']],
    install: 'apt-get install php-cli',
    imports: /^(?:use|require) (\S+)/gm,
    prepare: () => [['php', ['-l', 'receiver.php']]],
    start: (folder) => [
      'sh',
      ['-c', `SEEN_FOLDER='${folder}/seen' exec php '${join(RECEIVERS, 'receiver.php')}'`],
    ],
  },
  ruby: {
    file: 'receiver.rb',
    tool: ['ruby', ['--version']],
    install: 'apt-get install ruby',
    imports: /^require '([^']+)'$/gm,
    prepare: () => [['ruby', ['-wc', 'receiver.rb']]],
    start: () => ['ruby', [join(RECEIVERS, 'receiver.rb')]],
  },
  java: {
    file: 'Receiver.java',
    tool: ['javac', ['-version']],
    install: 'apt-get install default-jdk-headless',
    imports: /^import ([\w.*]+);$/gm,
    prepare: (folder) => [['javac', ['-Werror', '-d', folder, 'Receiver.java']]],
    start: (folder) => ['java', ['-cp', folder, 'Receiver']],
  },
};

const siteOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The servers of these frameworks are for development, and read without end. So this calls the recipe without one. */
const boundsOf = (framework: string): CommandLine => [
  '/usr/bin/python3',
  [siteOf('wsgi_bounds.py'), framework],
];

/** The recipes for frameworks that Debian has. Those in Python use Debian's. */
export const FRAMEWORKS: Readonly<Record<string, Language>> = {
  flask: {
    file: 'flask_app.py',
    tool: ['/usr/bin/python3', ['-c', 'import importlib.metadata as m; print("Flask", m.version("flask"))']],
    install: 'apt-get install python3-flask',
    imports: /^(?:import|from) (\S+)/gm,
    prepare: () => [boundsOf('flask')],
    start: () => ['sh', ['-c', 'exec /usr/bin/python3 -m flask --app flask_app run --port $PORT']],
  },
  django: {
    file: 'django_view.py',
    tool: ['/usr/bin/python3', ['-c', 'import django; print("Django", django.__version__)']],
    install: 'apt-get install python3-django',
    imports: /^(?:import|from) (\S+)/gm,
    prepare: () => [boundsOf('django')],
    start: () => [
      'sh',
      ['-c', `RECEIVERS='${RECEIVERS}' exec /usr/bin/python3 '${siteOf('django_site.py')}'`],
    ],
  },
  // As behind PHP-FPM or Apache. This server of PHP has no variable for its port.
  'php -S': {
    file: 'receiver.php',
    tool: ['php', ['--version']],
    install: 'apt-get install php-cli',
    imports: /^(?:use|require) (\S+)/gm,
    prepare: () => [],
    start: (folder) => [
      'sh',
      [
        '-c',
        `SEEN_FOLDER='${folder}/seen-there' exec php -S 127.0.0.1:$PORT '${join(RECEIVERS, 'receiver.php')}'`,
      ],
    ],
  },
  rails: {
    file: 'webhooks_controller.rb',
    tool: ['ruby', ['-e', 'require "rails"; puts "Rails #{Rails.version}"']],
    install: 'apt-get install ruby-railties ruby-actionpack puma',
    imports: /^require '([^']+)'$/gm,
    prepare: () => [],
    start: (folder) => [
      'sh',
      [
        '-c',
        `RECEIVERS='${RECEIVERS}' SITE_FOLDER='${folder}/rails' RAILS_ENV=production exec ruby '${siteOf('rails_site.rb')}'`,
      ],
    ],
  },
};
