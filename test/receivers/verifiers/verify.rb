# Written from docs/webhooks.md alone. Reads lines of base64: secret, header, body, and the clock. Prints true or false.
require 'openssl'

def genuine?(secret, header, body, now)
  entries = header.split(',').map { |entry| entry.strip.split('=', 2) }
  t = entries.find { |name, _| name == 't' }&.last.to_s
  return false if !t.match?(/\A[0-9]+\z/) || (now - t.to_i).abs > 300

  digest = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{t}.".b + body)
  entries.any? { |name, value| name == 'v1' && OpenSSL.secure_compare(value.to_s, digest) }
end

$stdin.each_line(chomp: true) do |line|
  *parts, now = line.split(/ /, -1)
  secret, header, body = parts.map { |part| part.unpack1('m') }
  puts genuine?(secret, header, body, now.to_i)
end
