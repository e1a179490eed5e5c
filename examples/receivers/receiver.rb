# A webhook receiver. Run: WEBHOOK_SECRET=whsec_… PORT=4000 ruby receiver.rb
require 'json'
require 'openssl'
require 'socket'
require 'timeout'

SECRETS = ENV.fetch('WEBHOOK_SECRET').scan(/[^\s,]+/) # one or several
MAX_BYTES = 1_048_576
SEEN = {} # yours is a table with a unique column

def genuine?(header, body)
  entries = header.split(',').map { |entry| entry.strip.split('=', 2) }
  t = entries.assoc('t').to_a[1].to_s
  return false unless t.match?(/\A\d{1,12}\z/) && (Time.now.to_i - t.to_i).abs <= 300

  given = entries.filter_map { |name, value| value.to_s if name == 'v1' }
  expected = SECRETS.map { |secret| OpenSSL::HMAC.hexdigest('SHA256', secret, "#{t}.".b + body.b) }
  given.product(expected).map { |pair| OpenSSL.secure_compare(*pair) }.any?
end

def receive(socket)
  head = +''
  while (line = socket.gets("\n", 8_192).to_s).chomp != '' && head.bytesize < 16_384
    head << line
  end
  length = head[/^content-length:[ \t]*(\d{1,7})\s*$/i, 1].to_i
  body = line.chomp == '' && length <= MAX_BYTES ? socket.read(length).to_s : '' # the raw bytes
  is_signed = genuine?(head[/^x-partner-signature:[ \t]*(.*?)\s*$/i, 1].to_s, body)
  event = is_signed ? JSON.parse(body) : {}
  puts "#{event['id']} #{event['type']}" if is_signed && !SEEN.key?(event['id'])
  SEEN[event['id']] = true if is_signed
  socket.write("HTTP/1.1 #{is_signed ? 204 : 400} Done\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
ensure
  socket.close
end

if __FILE__ == $PROGRAM_NAME
  $stdout.sync = true
  server = TCPServer.new(ENV['HOST'], Integer(ENV.fetch('PORT')))
  loop { Thread.new(server.accept) { |socket| Timeout.timeout(30) { receive(socket) } } } # seconds
end
