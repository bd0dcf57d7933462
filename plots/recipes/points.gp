# A metric against the capacity for each policy, with its intervals, straight from summary.csv:
# gnuplot -e "sweep='out'; metric='mos'; picture='points.svg'" points.gp
set terminal svg size 800,500 dynamic background rgb 'white'
set output picture
set datafile separator comma
set logscale x
set xlabel 'capacity [bit/s]'
set ylabel metric
set key outside
summary = sweep.'/summary.csv'
# The patient's tile alone, without loss: gnuplot averages nothing by itself.
chosen(policy) = strcol('scope') eq 'tile' && strcol('viewer') eq 'patient' && strcol('metric') eq metric \
  && strcol('stat') ne 'max' && strcol('p_policy') eq policy && column('p_loss_frac') == 0
# NaN in every place: a height alone would still stretch the axis.
figure(policy, name) = chosen(policy) ? column(name) : NaN
plot for [policy in 'bluejeans janus'] summary \
  using (figure(policy, 'p_capacity_bps')):(figure(policy, 'mean')):(figure(policy, 'ci_lo')):(figure(policy, 'ci_hi')) \
  with yerrorbars pointtype 7 title policy
