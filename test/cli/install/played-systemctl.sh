#!/bin/sh
# Plays systemd in a root without one: notes what it is asked, and runs the program of the unit as the unit's user, with
# the unit's one capability and the variables that `systemctl edit` would have added.
echo "$*" >> /calls
stop() {
  test ! -e /run/duka.id || kill "$(cat /run/duka.id)"
  rm -f /run/duka.id
}
unit=/etc/systemd/system/duka.service
case "$1" in
  is-enabled | is-active) test -e /run/duka.id ;;
  show) echo "@$(cat /run/duka.started)" ;;
  disable) stop ;;
  restart)
    stop
    user=$(sed -n 's/^User=//p' $unit)
    # The variables and the command of the unit are several words.
    env $(sed -n 's/^Environment=//p' $unit.d/*.conf 2> /dev/null) \
      setpriv --reuid "$user" --regid "$user" --clear-groups \
      --inh-caps=-all,+net_bind_service --ambient-caps=-all,+net_bind_service --bounding-set=-all,+net_bind_service \
      $(sed -n 's/^ExecStart=//p' $unit) > /run/duka.log 2>&1 &
    echo $! > /run/duka.id
    date +%s > /run/duka.started
    ;;
esac
